/** The usual texts, by the element that shows another one at the moment. */
const usual = new WeakMap<object, string | null>();
const timers = new WeakMap<object, ReturnType<typeof setTimeout>>();

/** Replaces the text of an element for a moment; the usual text returns even after repeated calls. */
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
