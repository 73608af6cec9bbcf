// A proof as a film: what each step adds to the picture. Frame 0 is the question alone.
//
// A frame is {shown, edges, step, key, under}: the keys of the boxes and the numbers of the edges
// that stand in the picture after the step; the step itself (null for a proof that no model grew);
// the key of the box that it added (null: none) and of the one above it.

export function frames(picture, steps) {
  return steps ? grown(picture, steps) : unfolded(picture);
}

// The model's own order: step k puts its child under the place `parent` of its path.
function grown(picture, steps) {
  const keyOf = Object.fromEntries(picture.boxes.map((box) => [box.node, box.key]));
  const path = ["question"];
  const made = [start(picture)];
  for (const step of steps) {
    const before = made.at(-1);
    const shown = new Set(before.shown);
    const edges = new Set(before.edges);
    let [key, under] = [null, null];
    if (step.child === "END") {
      picture.boxes.forEach((box) => shown.add(box.key));
      picture.edges.forEach((_, at) => edges.add(at));
      key = keyOf.FAIL ?? null;
    } else {
      key = keyOf[step.child] ?? null;
      under = keyOf[path[step.parent]];
      if (key) shown.add(key);
      picture.edges.forEach((edge, at) => {
        if (edge.source === key && edge.target === under) edges.add(at);
      });
      path.push(String(step.child));
    }
    made.push({ shown, edges, step, key, under });
  }
  return made;
}

// From the question down, premise after premise.
function unfolded(picture) {
  const made = [start(picture)];
  const waiting = [picture.boxes[0].key];
  while (waiting.length) {
    const under = waiting.shift();
    for (const { source } of picture.edges.filter((edge) => edge.target === under)) {
      const before = made.at(-1);
      if (before.shown.has(source)) continue;
      waiting.push(source);
      const shown = new Set(before.shown).add(source);
      const inside = (edge) => shown.has(edge.source) && shown.has(edge.target);
      const edges = new Set(picture.edges.map((edge, at) => (inside(edge) ? at : -1)).filter((at) => at >= 0));
      made.push({ shown, edges, step: null, key: source, under });
    }
  }
  return made;
}

const start = (picture) => ({
  shown: new Set([picture.boxes[0].key]),
  edges: new Set(),
  step: null,
  key: picture.boxes[0].key,
  under: null,
});

// What stands at each position of a model's path: "question", "13", "NAF".
export const pathOf = (steps) => ["question", ...steps.map(({ child }) => String(child))];

// A node in words: "[14]", "NAF", "the question".
export function named(node) {
  if (node === "question") return "the question";
  return /^\d+$/.test(String(node)) ? `[${Number(node) + 1}]` : String(node);
}
