/** The place of each item in an order of all items from 0 on. */
export function inverseOrder(order: ArrayLike<number>): Int32Array {
  const placeOf = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) placeOf[order[place]] = place;
  return placeOf;
}
