// The proof in English; or why there is none, and the facts that would make one.
import { $, button, cited, element } from "./dom.js";

// What an explanation rests on where something stands in the way.
export const SUPPOSING = {
  sentence: ", by the sentences that can be read",
  wording: ", if the wordings differ",
  readings: ", by the first reading",
};

// `cite(index, text)` makes the button for a sentence's number, `add(fact)` adds one to the rules.
export function showWhy(result, { cite, add }) {
  const fails = isFailure(result.explanation);
  const rest = SUPPOSING[result.obstacle?.kind] ?? "";
  $("why-title").textContent = `${fails ? "Why not" : "In English"}${rest}`;
  $("why").hidden = !result.explanation.length;
  const other = result.contrary
    ? [element("h4", {}, "And the opposite"), listed(result.contrary.explanation, cite)]
    : [];
  $("why-words").replaceChildren(listed(result.explanation, cite), ...other);
  showRepairs(result, add);
}

const isFailure = (lines) => lines.some((line) => line.startsWith("  "));

// Lines of a proof as a list; lines of a failure, which are indented, as lists in lists.
function listed(lines, cite) {
  if (isFailure(lines)) return tree(lines, cite);
  return element("ul", { class: "english" }, ...lines.map((line) => element("li", {}, ...cited(line, cite))));
}

function showRepairs({ repairs }, add) {
  $("mend").hidden = repairs !== null && !repairs.length;
  $("mend-hint").textContent = repairs
    ? "Any one of these facts would be enough. Press to add it and prove again."
    : "There are too many rules to search for a fact that would prove it.";
  $("repairs").replaceChildren(
    ...(repairs ?? []).map(({ fact, contradicts }) => {
      const against = contradicts.length ? `But it contradicts: ${contradicts.join(" ")}` : null;
      return element(
        "li",
        {},
        button(fact, () => add(fact), { class: "quiet repair", "aria-label": `Add this fact: ${fact}` }),
        against && element("span", { class: "reason" }, against),
      );
    }),
  );
}

// Lines that are indented by twos become lists in lists.
function tree(lines, cite) {
  const root = element("ul", { class: "tree" });
  const open = [{ depth: -1, list: root, item: null }];
  for (const line of lines) {
    const [, space, words] = /^(\s*)(?:- )?(.*)$/.exec(line);
    while (open.length > 1 && open.at(-1).depth >= space.length) open.pop();
    const above = open.at(-1);
    if (above.item && !above.list) above.item.append((above.list = element("ul")));
    const item = element("li", { class: tone(words) }, ...cited(words, cite));
    above.list.append(item);
    open.push({ depth: space.length, list: null, item });
  }
  return root;
}

function tone(words) {
  if (/: yes\b[^:]*$/.test(words)) return "holds";
  return /: (no,|nothing shows it)[^:]*$/.test(words) ? "fails" : null;
}
