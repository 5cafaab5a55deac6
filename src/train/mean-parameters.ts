/**
 * The mean of the parameters of several networks of one kind.
 *
 * Of a network and what it became by going on from there, the mean is often better than both, and it costs
 * no more to run. Networks that were trained apart have nothing in common to take the mean of.
 * Based on: Wortsman et al. Robust fine-tuning of zero-shot models. 2022.
 */
export function meanParameters(list: Float32Array[]): Float32Array {
  const mean = new Float32Array(list[0].length);
  for (const parameters of list) {
    for (let i = 0; i < mean.length; i++) mean[i] += parameters[i] / list.length;
  }
  return mean;
}
