/**
 * A binary heap of integers with number keys, smallest key first; ties go to the lowest item, so that the
 * order never depends on the order of insertion.
 */
export class MinHeap {
  size = 0;
  private keys: Float64Array;
  private items: Int32Array;

  constructor(capacity = 256) {
    this.keys = new Float64Array(capacity);
    this.items = new Int32Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  /** Returns the smallest key; only valid while `size` > 0. */
  peekKey(): number {
    return this.keys[0];
  }

  push(key: number, item: number): void {
    if (this.size === this.keys.length) this.grow();
    const { keys, items } = this;
    let hole = this.size++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const parentKey = keys[parent];
      if (parentKey < key || (parentKey === key && items[parent] <= item)) break;
      keys[hole] = parentKey;
      items[hole] = items[parent];
      hole = parent;
    }
    keys[hole] = key;
    items[hole] = item;
  }

  /** Removes and returns the item with the smallest key; only valid while `size` > 0. */
  pop(): number {
    const { keys, items } = this;
    const top = items[0];
    const last = --this.size;
    const key = keys[last];
    const item = items[last];
    let hole = 0;
    for (let child = 1; child < last; child = 2 * hole + 1) {
      if (child + 1 < last && this.before(child + 1, child)) child++;
      if (key < keys[child] || (key === keys[child] && item <= items[child])) break;
      keys[hole] = keys[child];
      items[hole] = items[child];
      hole = child;
    }
    keys[hole] = key;
    items[hole] = item;
    return top;
  }

  private before(a: number, b: number): boolean {
    const { keys, items } = this;
    return keys[a] < keys[b] || (keys[a] === keys[b] && items[a] < items[b]);
  }

  private grow(): void {
    const keys = new Float64Array(this.keys.length * 2);
    const items = new Int32Array(this.keys.length * 2);
    keys.set(this.keys);
    items.set(this.items);
    this.keys = keys;
    this.items = items;
  }
}
