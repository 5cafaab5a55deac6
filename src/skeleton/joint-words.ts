/** Words of a name in lower case: `HeadTop_End` has head, top and end. */
export function jointWords(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}
