/**
 * What is wrong with the user's input, in one sentence: what, where, what to do.
 *
 * The command line prints the message alone and exits with 1; any other error is our fault (exit 2).
 */
export class InputError extends Error {
  override readonly name = "InputError";
}
