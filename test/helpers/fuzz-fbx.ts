import type { FbxNode, FbxValue } from "../../src/formats/fbx/fbx-node.ts";
import type { Random } from "../../src/math/random.ts";
import { below, manyOf, pick } from "./fuzz-values.ts";

type Change = (root: FbxNode, random: Random) => void;

const NUMBERS = [-1, 0, 1, 2, 7, 65536, 2 ** 31 - 1, -(2 ** 31), 1e9, 2 ** 53, 0.5, 1e308, -1e18];

function nodesOf(root: FbxNode): FbxNode[] {
  const found: FbxNode[] = [];
  const visit = ({ children }: FbxNode) => {
    for (const child of children) {
      found.push(child);
      visit(child);
    }
  };
  visit(root);
  return found;
}

const named = (root: FbxNode, ...names: string[]) =>
  nodesOf(root).filter(({ name }) => names.includes(name));

/** Replaces the numbers of a node `Name: *n { a: ... }`, or of a plain list. */
function setNumbers(node: FbxNode, numbers: number[]): void {
  const list = node.children.find(({ name }) => name === "a");
  if (list) {
    list.values = numbers;
    node.values = [`*${numbers.length}`];
  } else node.values = numbers;
}

function numbersOf(node: FbxNode): number[] {
  const list = node.children.find(({ name }) => name === "a") ?? node;
  return list.values.filter((value): value is number => typeof value === "number");
}

const swapNumber: Change = (root, random) => {
  const holders = nodesOf(root).filter(({ values }) =>
    values.some((value) => typeof value === "number"),
  );
  if (holders.length === 0) return;
  const { values } = pick(random, holders);
  const other = pick(random, holders).values.filter((value) => typeof value === "number");
  values[below(random, values.length)] =
    random() < 0.5 ? pick(random, NUMBERS) : pick(random, other);
};

const swapText: Change = (root, random) => {
  const isText = (value: FbxValue) => typeof value === "string";
  const holders = nodesOf(root).filter(({ values }) => values.some(isText));
  if (holders.length === 0) return;
  const { values } = pick(random, holders);
  const at = values.findIndex(isText);
  values[at] = pick(random, pick(random, holders).values.filter(isText));
};

/** One point named many times, missing points, or points in another order. */
const clusterIndexes: Change = (root, random) => {
  const found = named(root, "Indexes", "Weights");
  if (found.length === 0) return;
  const count = manyOf(random, 200_000);
  const value = pick(random, [0, 1, 3, -1, 1e9, 0.5]);
  setNumbers(pick(random, found), new Array(count).fill(value));
};

/** A polygon of many corners: in order, at random, never closed, or of one point. */
const polygon: Change = (root, random) => {
  const found = named(root, "PolygonVertexIndex");
  if (found.length === 0) return;
  const count = random() < 0.5 ? 10_000 : manyOf(random);
  const kind = below(random, 4);
  const corners = Array.from({ length: count }, (_, i) =>
    kind === 0 ? i : kind === 1 ? below(random, count) : 0,
  );
  if (random() < 0.8) corners[count - 1] = -1 - corners[count - 1];
  setNumbers(pick(random, found), corners);
  if (random() < 0.7) {
    const points = Array.from({ length: count }, (_, i) => [Math.cos(i), Math.sin(i), 0]).flat();
    for (const node of named(root, "Vertices")) setNumbers(node, points);
  }
};

const anyList: Change = (root, random) => {
  const lists = nodesOf(root).filter((node) => numbersOf(node).length > 2);
  if (lists.length === 0) return;
  const node = pick(random, lists);
  const numbers = numbersOf(node);
  const choice = below(random, 5);
  if (choice === 0) setNumbers(node, numbers.slice(0, below(random, numbers.length)));
  else if (choice === 1) setNumbers(node, numbers.reverse());
  else if (choice === 2)
    setNumbers(
      node,
      numbers.map(() => pick(random, NUMBERS)),
    );
  else if (choice === 3) {
    const times = Math.ceil(manyOf(random) / numbers.length);
    setNumbers(node, Array.from({ length: times }, () => numbers).flat());
  } else numbers[below(random, numbers.length)] = pick(random, NUMBERS);
  if (choice === 4) setNumbers(node, numbers);
};

/** Times far apart, or very many of them. */
const keyTimes: Change = (root, random) => {
  const found = named(root, "KeyTime");
  if (found.length === 0) return;
  const node = pick(random, found);
  const step = pick(random, [0, 1, 46186158, 46186158000, 4.6e15, -46186158000]);
  const count = random() < 0.5 ? numbersOf(node).length : manyOf(random, 50_000);
  setNumbers(
    node,
    Array.from({ length: count }, (_, i) => i * step),
  );
};

const objectsOf = (root: FbxNode) =>
  root.children.find(({ name }) => name === "Objects")?.children ?? [];
const linksOf = (root: FbxNode) =>
  root.children.find(({ name }) => name === "Connections")?.children ?? [];

const duplicateId: Change = (root, random) => {
  const objects = objectsOf(root);
  if (objects.length < 2) return;
  pick(random, objects).values[0] = pick(random, objects).values[0];
};

/** Connects any two objects, reverses a connection, or repeats one. */
const changeLink: Change = (root, random) => {
  const links = linksOf(root);
  const objects = objectsOf(root);
  if (links.length === 0 || objects.length === 0) return;
  const link = pick(random, links);
  const choice = below(random, 5);
  if (choice === 0) link.values = [link.values[0], link.values[2], link.values[1]];
  else if (choice === 1) link.values[1 + below(random, 2)] = pick(random, objects).values[0];
  else if (choice === 2) {
    for (let n = manyOf(random); n > 0; n--) links.push({ ...link, values: [...link.values] });
  } else if (choice === 3) {
    const back = [link.values[0], link.values[2], link.values[1]];
    links.push({ name: "C", values: back, children: [] });
  } else {
    for (let n = manyOf(random, 500); n > 0; n--) {
      const ends = [pick(random, objects).values[0], pick(random, objects).values[0]];
      links.push({ name: "C", values: ["OO", ...ends], children: [] });
    }
  }
};

/** Many copies of an object, each with the connections of the first. */
const growObjects: Change = (root, random) => {
  const [objects, links] = [objectsOf(root), linksOf(root)];
  if (objects.length === 0) return;
  const like = pick(random, objects);
  const own = links.filter(({ values }) => values.slice(1).includes(like.values[0]));
  const count = manyOf(random, 3000);
  for (let i = 0; i < count; i++) {
    const id = 1e6 + i;
    objects.push({ ...like, values: [id, ...like.values.slice(1)] });
    for (const link of own) {
      const values = link.values.map((value) => (value === like.values[0] ? id : value));
      links.push({ ...link, values });
    }
  }
};

const repeatNode: Change = (root, random) => {
  const parents = [root, ...nodesOf(root)].filter(({ children }) => children.length > 0);
  const { children } = pick(random, parents);
  const like = pick(random, children);
  for (let n = manyOf(random, 5000); n > 0; n--) children.push(like);
};

const dropNode: Change = (root, random) => {
  const parents = nodesOf(root).filter(({ children }) => children.length > 0);
  if (parents.length === 0) return;
  const { children } = pick(random, parents);
  children.splice(below(random, children.length), 1);
};

const nest: Change = (root, random) => {
  let inner: FbxNode = { name: "x", values: [], children: [] };
  for (let n = manyOf(random, 1000); n > 0; n--) {
    inner = { name: "x", values: [n], children: [inner] };
  }
  pick(random, nodesOf(root)).children.push(inner);
};

const CHANGES: readonly Change[] = [
  swapNumber,
  swapNumber,
  swapText,
  clusterIndexes,
  clusterIndexes,
  polygon,
  anyList,
  anyList,
  keyTimes,
  duplicateId,
  changeLink,
  changeLink,
  growObjects,
  repeatNode,
  dropNode,
  nest,
];

/** Changes may multiply each other; shared content would be written out. */
const MANY = 200_000;

function countNodes(node: FbxNode, limit = MANY): number {
  let count = 1 + node.values.length;
  for (const child of node.children) {
    if (count >= limit) break;
    count += countNodes(child, limit - count);
  }
  return count;
}

/** Changes the structure of an FBX in one to three ways. */
export function changeFbx(root: FbxNode, random: Random): void {
  for (let n = 1 + below(random, 3); n > 0 && countNodes(root) < MANY; n--) {
    pick(random, CHANGES)(root, random);
  }
  if (countNodes(root) >= MANY) throw new Error("too many nodes");
}

/** Returns a node tree as text FBX. */
export function fbxText(root: FbxNode): string {
  const lines = ["; FBX 7.4.0 project file"];
  const write = ({ name, values, children, hasBlock }: FbxNode, indent: string) => {
    const list = values.map((value) =>
      typeof value === "string" && !value.startsWith("*") ? JSON.stringify(value) : String(value),
    );
    const isOpen = children.length > 0 || hasBlock;
    lines.push(`${indent}${name}: ${list.join()}${isOpen ? " {" : ""}`);
    for (const child of children) write(child, `${indent}\t`);
    if (isOpen) lines.push(`${indent}}`);
  };
  for (const child of root.children) write(child, "");
  return `${lines.join("\n")}\n`;
}
