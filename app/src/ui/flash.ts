/** Texts to come back, by the element that says something else just now. */
const usual = new WeakMap<object, string | null>();
const timers = new WeakMap<object, ReturnType<typeof setTimeout>>();

/** Says something in place of an element's text, for a moment; said twice, the usual text comes back all the same. */
export function flash(element: Pick<HTMLElement, "textContent">, text: string): void {
  clearTimeout(timers.get(element));
  if (!usual.has(element)) usual.set(element, element.textContent);
  element.textContent = text;
  const back = () => {
    element.textContent = usual.get(element) ?? "";
    usual.delete(element);
  };
  timers.set(element, setTimeout(back, 1500));
}
