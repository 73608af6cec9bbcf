// What the server is asked. Addresses are relative, so that the page may stand under any prefix.

// What went wrong, in words for people; `details` are the server's, naming field and sentence.
export class Trouble extends Error {
  constructor(message, details = []) {
    super(message);
    this.details = details;
  }
}

export async function examples() {
  return (await answered(fetch("v1/examples"))).json();
}

export async function read(rules, signal) {
  return (await answered(post("v1/read", { rules }, signal))).json();
}

// Events of one question as they arrive: {event: "answer" | "step" | "result" | "end", data}.
export async function* prove(rules, question, signal) {
  const body = { rules, questions: [question], options: { trace: true, pictures: true } };
  const response = await answered(post("v1/prove/stream", body, signal));
  let ended = false;
  for await (const { event, data } of events(response.body)) {
    if (event === "error") throw failed(data.status, data);
    ended ||= event === "end";
    yield { event, data };
  }
  if (!ended) throw new Trouble("The server stopped before it was done.");
}

const post = (address, body, signal) =>
  fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });

function lost(error) {
  if (error.name === "AbortError") throw error;
  throw new Trouble("The server cannot be reached. Is “ibr serve” still running?");
}

async function answered(asking) {
  const response = await asking.catch(lost);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw failed(response.status, body, response.headers.get("Retry-After"));
}

function failed(status, body, after) {
  const details = Array.isArray(body.detail) ? body.detail : [];
  const first = details[0]?.message ?? (typeof body.detail === "string" ? body.detail : null);
  if (status === 503) return new Trouble(`The server is busy. Try again ${after ? `in ${after} s` : "soon"}.`);
  if (status === 504) return new Trouble("This took too long and was stopped. Try fewer rules.");
  return new Trouble(first ?? `The server could not do this (${status}).`, details);
}

// Server-sent events from a stream of bytes: blocks of lines that an empty line ends.
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read().catch(lost);
    if (done) return;
    held += value.replaceAll("\r", "");
    const blocks = held.split("\n\n");
    held = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
      const data = field("data").join("\n");
      if (data) yield { event: field("event")[0] ?? "message", data: JSON.parse(data) };
    }
  }
}
