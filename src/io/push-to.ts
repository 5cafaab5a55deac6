/** Adds to the list a map holds for a key, which begins with it where there was none. */
export function pushTo<K, T>(map: Map<K, T[]>, key: K, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
