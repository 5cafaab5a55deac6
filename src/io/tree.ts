/** A node of XML or FBX: it has a name, and children alike. */
interface Named<T> {
  name: string;
  children: T[];
}

/** First child of this name. */
export function childOf<T extends Named<T>>(node: T | undefined, name: string): T | undefined {
  return node?.children.find((child) => child.name === name);
}

/** All children of this name. */
export function childrenNamed<T extends Named<T>>(node: T | undefined, name: string): T[] {
  return node?.children.filter((child) => child.name === name) ?? [];
}
