// Puts the page together: what a person does, what the server is asked, what is shown.
import * as api from "./api.js";
import { $, announce, button, element } from "./dom.js";
import * as editor from "./editor.js";
import { showNotRead, showReadings, showSuggestions } from "./readings.js";
import { saveJson, savePng, saveSvg } from "./saving.js";
import { draft, fragment, keep, keepDraft, shared } from "./sharing.js";
import { Stage } from "./stage.js";

const PATIENCE = 300; // milliseconds without a key before the rules are read

let examples = [];
let read = { rules: null, sentences: [], suggestions: [] }; // the last reading
let asked = null; // what the result on the page is about
let proving = null;
let reading = null;
let waiting = null;
let before = null; // what "Undo" brings back

const stage = new Stage({ light: editor.light, add: addFact, choose });
const now = () => ({ rules: editor.text(), question: $("question").value.trim() });

// Reading

function readSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(readNow, PATIENCE);
}

// Reads the rules as they are now, unless they change meanwhile.
async function readNow() {
  clearTimeout(waiting);
  reading?.abort();
  const { signal } = (reading = new AbortController());
  try {
    await sentencesOf(editor.text(), signal);
  } catch (error) {
    if (error.name !== "AbortError") showNotRead(error.message);
  }
}

// How these rules are read; shown if they are still the rules of the page.
async function sentencesOf(rules, signal) {
  const found = rules === read.rules ? read : { rules, ...(await api.read(rules, signal)) };
  if (rules === editor.text()) {
    read = found;
    editor.setSentences(read.sentences);
    showReadings(read.sentences, { rewrite, light: editor.light });
    editor.placeNotes();
    suggest();
  }
  return found.sentences;
}

function suggest() {
  const typed = $("question").value.trim();
  const own = examples.find((one) => one.rules === editor.text())?.questions ?? [];
  const known = [typed, stage.result?.reading];
  const all = [...new Set([...own, ...read.suggestions])];
  showSuggestions(all.filter((question) => !known.includes(question)), ask);
}

// Asking

async function prove() {
  const { rules, question } = now();
  complain("");
  if (!question) {
    complain("Write a question first, or press one of those below.");
    $("question").focus();
    return;
  }
  asked = { rules, question };
  proving?.abort();
  const { signal } = (proving = new AbortController());
  stage.begin();
  comeIntoView();
  $("prove").setAttribute("aria-busy", "true");
  try {
    const sentences = await sentencesOf(rules, signal);
    for await (const { event, data } of api.prove(rules, question, signal)) {
      if (event === "answer") stage.guess(data, sentences);
      if (event === "step") stage.step(data);
      if (event === "result") stage.finish({ ...data, question: data.text });
    }
    comeIntoView(); // before, the page may have been too short to scroll so far
    changed();
    suggest();
    if (stage.result?.reading === null) await explainQuestion(question);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof api.Trouble)) throw error;
    complain(error.message);
    if (!stage.result) stage.end();
  } finally {
    if (proving.signal === signal) $("prove").removeAttribute("aria-busy");
  }
}

function ask(question) {
  $("question").value = question;
  $("prove").focus();
  changed();
  prove();
}

// Why a question cannot be read.
async function explainQuestion(question) {
  const { sentences } = await api.read(question);
  const found = sentences.find(({ kind }) => kind === "unknown");
  complain(`The question cannot be read${found ? `: ${found.reason}` : ""}.`);
}

function complain(message) {
  $("question-trouble").replaceChildren(message);
}

// On a narrow screen the proof is below: show that it comes.
function comeIntoView() {
  if ($("proof").getBoundingClientRect().top > innerHeight * 0.6) $("proof").scrollIntoView({ block: "start" });
}

// Changing the text

function changed() {
  const { rules, question } = now();
  keepDraft({ rules, question });
  $("stale").hidden = !stage.result || (asked.rules === rules && asked.question === question);
  markExample();
}

// Sets the rules, and the question if it is given; can be undone.
function put(rules, question, note) {
  before = now();
  editor.setText(rules);
  if (question !== undefined) $("question").value = question;
  changed();
  if (note) notify(note, true);
}

function rewrite(index, better) {
  if (editor.text() !== read.rules) return; // it is about to be read again
  put(editor.replaced(index, better), undefined, "Sentence rewritten.");
  readNow();
  $("rules").focus();
}

async function addFact(fact) {
  await readNow();
  await write(editor.withFact(fact), fact);
}

// Writes what settles an obstacle: in place of its sentence, or after it.
async function choose(wording, { action, sentence }) {
  if (editor.text() !== asked.rules) return notify("The rules have changed. Prove again first.");
  await readNow();
  await write(action === "replace" ? editor.replaced(sentence, wording) : editor.withSentence(wording, sentence), wording);
}

// Sets the rules, in which this is new, and proves again.
async function write(rules, wording) {
  $("proof").focus();
  put(rules, undefined, `Written: ${wording}`);
  await prove();
  editor.light(read.sentences.filter(({ text }) => wording.includes(text)).map(({ index }) => index));
}

function undo() {
  const { rules, question } = before;
  $("toast").hidden = true;
  put(rules, question);
  readNow();
  if (stage.result && question) prove();
}

function notify(text, undoable = false) {
  $("toast-text").textContent = text;
  $("undo").hidden = !undoable;
  $("toast").hidden = false;
  clearTimeout(notify.timer);
  if (!undoable) notify.timer = setTimeout(() => ($("toast").hidden = true), 8000);
}

// Examples, sharing, colours

function showExamples() {
  const item = (one) => element("li", {}, button(one.title, () => start(one), { class: "example", "data-name": one.name }));
  $("examples").replaceChildren(...examples.map(item));
}

function start(example) {
  const edited = !examples.some((one) => one.rules === editor.text()) && editor.text().trim();
  put(example.rules, example.questions[0], edited ? "Your rules were replaced." : "");
  proving?.abort();
  stage.end();
  readNow();
  announce(`${example.title} loaded. The question is: ${example.questions[0]}`);
}

function markExample() {
  const rules = editor.text();
  for (const one of $("examples").querySelectorAll("button")) {
    const same = examples.find(({ name }) => name === one.dataset.name).rules === rules;
    one.setAttribute("aria-pressed", String(same));
  }
}

async function share() {
  history.replaceState(null, "", fragment(now(), examples));
  try {
    await navigator.clipboard.writeText(location.href);
    notify("The link is copied. It holds your rules and your question.");
  } catch {
    notify("The link is in the address bar. It holds your rules and your question.");
  }
}

async function openShared() {
  const found = shared(location.hash, examples);
  if (!found) return false;
  put(found.rules, found.question);
  await readNow();
  if (found.question) prove();
  return true;
}

function colours() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => $("theme").setAttribute("aria-pressed", String(dark()));
  $("theme").addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    keep("ibr-theme", root.dataset.theme);
    show();
  });
  system.addEventListener("change", show);
  show();
}

async function begin() {
  colours();
  editor.onChange(() => {
    $("toast").hidden = true; // what would be undone is no longer the last change
    changed();
    readSoon();
  });
  $("question").addEventListener("input", changed);
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    prove();
  });
  $("rules").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) prove();
  });
  $("again").addEventListener("click", prove);
  $("undo").addEventListener("click", undo);
  $("share").addEventListener("click", share);
  $("save-svg").addEventListener("click", () => stage.picture && saveSvg(stage.picture));
  $("save-png").addEventListener("click", () => stage.picture && savePng(stage.picture));
  $("save-json").addEventListener("click", () => stage.result && saveJson(stage.result));
  addEventListener("hashchange", openShared);
  try {
    examples = await api.examples();
  } catch (error) {
    showNotRead(error.message);
  }
  showExamples();
  if (await openShared()) return;
  const kept = draft() ?? (examples[0] && { rules: examples[0].rules, question: examples[0].questions[0] });
  put(kept?.rules ?? "", kept?.question ?? "");
  readNow();
}

begin();
