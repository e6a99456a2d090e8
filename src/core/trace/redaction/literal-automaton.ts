/**
 * Finds many texts in one pass (Aho and Corasick): the work for a character does not grow with the number of texts that
 * are searched for. Letters count in either case, and line breaks within a text are skipped. Texts may be added at any
 * time. It is independent of the texts.
 */

/** Characters are grouped in classes; 255 is for those that no text has. */
const noClass = 255;
const breakClass = 10;
/** Bound for the texts of one automaton, in characters that they do not share. */
const mostNodes = 500_000;

/** Node 0 is where nothing has been seen; the depth of a node is how many characters have been. */
export interface Automaton {
  readonly size: number;
  /** Adds a text under a number of its own; false when there is no more room. */
  add(text: string, id: number): boolean;
  /** The node after one more character; `noState` for a character that is skipped. */
  step(state: number, code: number): number;
  depth(state: number): number;
  /** The number of the longest text that ends at a node, or -1. */
  ending(state: number): number;
  /** The next shorter one: the node where it ends, or 0. */
  shorter(state: number): number;
  /** The number of the shortest text that goes on from a node. */
  ahead(state: number): number;
}

export const skipped = -1;

export function createAutomaton(): Automaton {
  const classes = new Uint8Array(65_536).fill(noClass);
  for (let code = 0; code < 128; code += 1) classes[code] = code >= 0x41 && code <= 0x5a ? code + 32 : code;
  classes[13] = breakClass;
  let classCount = 128;
  const root = new Int32Array(256);
  let edges = createEdges(1024);
  const parent = [0];
  const via = [0];
  const depths = [0];
  const fail = [0];
  const out = [-1];
  /** The nearest node on the way of failures where a text ends. */
  const link = [0];
  const shortest = [-1];
  const lengths = new Map<number, number>();
  let stale = false;
  let size = 0;

  function child(node: number, kind: number): number {
    return node === 0 ? root[kind]! : edges.get(node * 256 + kind);
  }

  function grow(node: number, kind: number): number {
    const made = parent.length;
    parent.push(node);
    via.push(kind);
    depths.push(depths[node]! + 1);
    fail.push(0);
    out.push(-1);
    link.push(0);
    shortest.push(-1);
    if (node === 0) root[kind] = made;
    else {
      if (edges.full()) edges = edges.doubled();
      edges.set(node * 256 + kind, made);
    }
    return made;
  }

  /** Ways of failure, from the shallow nodes to the deep ones. */
  function connect(): void {
    stale = false;
    const byDepth: number[][] = [];
    for (let node = 1; node < parent.length; node += 1) (byDepth[depths[node]!] ??= []).push(node);
    for (const nodes of byDepth) {
      for (const node of nodes ?? []) {
        const above = parent[node]!;
        fail[node] = above === 0 ? 0 : follow(fail[above]!, via[node]!);
        link[node] = out[fail[node]!]! === -1 ? link[fail[node]!]! : fail[node]!;
      }
    }
  }

  function follow(from: number, kind: number): number {
    let state = from;
    for (;;) {
      const next = child(state, kind);
      if (next !== 0 || state === 0) return next;
      state = fail[state]!;
    }
  }

  return {
    get size() {
      return size;
    },
    add(text, id) {
      if (parent.length + text.length > mostNodes) return false;
      let node = 0;
      const path: number[] = [];
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (classes[code] === breakClass) continue;
        if (classes[code] === noClass) {
          if (classCount >= noClass) return false;
          classes[code] = classCount++;
        }
        const kind = classes[code]!;
        node = child(node, kind) || grow(node, kind);
        path.push(node);
      }
      if (node === 0 || out[node] !== -1) return false;
      out[node] = id;
      lengths.set(id, path.length);
      for (const one of path)
        if (shortest[one] === -1 || lengths.get(shortest[one]!)! > path.length) shortest[one] = id;
      stale = true;
      size += 1;
      return true;
    },
    step(state, code) {
      if (stale) connect();
      const kind = classes[code]!;
      if (kind === breakClass) return skipped;
      if (kind === noClass) return 0;
      return state === 0 ? root[kind]! : follow(state, kind);
    },
    depth: (state) => depths[state]!,
    ending: (state) => out[state]!,
    shorter: (state) => link[state]!,
    ahead: (state) => shortest[state]!,
  };
}

interface Edges {
  /** The node that a key leads to, or 0. */
  get(key: number): number;
  set(key: number, node: number): void;
  full(): boolean;
  doubled(): Edges;
}

/** A hash table from numbers to numbers, in a fraction of the room and time of a Map. */
function createEdges(capacity: number): Edges {
  const keys = new Int32Array(capacity);
  const nodes = new Int32Array(capacity);
  const mask = capacity - 1;
  let count = 0;

  function place(key: number): number {
    let at = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    while (nodes[at] !== 0 && keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  const table: Edges = {
    get: (key) => nodes[place(key)]!,
    set(key, node) {
      const at = place(key);
      keys[at] = key;
      nodes[at] = node;
      count += 1;
    },
    full: () => count * 2 >= capacity,
    doubled() {
      const larger = createEdges(capacity * 2);
      for (let at = 0; at < capacity; at += 1) if (nodes[at] !== 0) larger.set(keys[at]!, nodes[at]!);
      return larger;
    },
  };
  return table;
}
