/**
 * What is wrong with the user's input, in one sentence: what, where, what to do.
 *
 * The command line prints the message alone and exits with 1; any other error is our fault (exit 2).
 *
 * @example
 * try {
 *   await skin({ ...character, mesh: { ...character.mesh, triangles: new Uint32Array(0) } });
 * } catch (error) {
 *   if (!(error instanceof InputError)) throw error;
 *   console.log(error.message); // to be shown to the user as it is
 * }
 */
export class InputError extends Error {
  override readonly name = "InputError";
}
