/** What the user can do about an {@link InputError}. */
export interface Remedy {
  /** One clause without the name of any flag: "allow overwriting". */
  advice: string;
  /** Name of the option that helps, as in the option table; each front end shows its own spelling. */
  option?: string;
}

/** The parts of an {@link InputError}. */
export interface InputProblem {
  /** One clause: "the file exists". */
  what: string;
  /** The file, joint or option that it concerns. */
  where?: string;
  remedy?: Remedy;
}

/**
 * An error caused by the user's input. `message` is one sentence: where, what, remedy.
 *
 * The command line prints it and exits with 1; every other error is an internal error (exit 2).
 *
 * @example
 * try {
 *   await skin({ ...character, mesh: { ...character.mesh, triangles: new Uint32Array(0) } });
 * } catch (error) {
 *   if (!(error instanceof InputError)) throw error;
 *   console.log(error.message, error.remedy?.option);
 * }
 */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The same for every `InputError`, to tell it from other errors across realms and processes. */
  readonly code = "invalid-input";
  readonly what: string;
  readonly where: string | undefined;
  readonly remedy: Remedy | undefined;

  constructor(problem: string | InputProblem) {
    const { what, where, remedy } = typeof problem === "string" ? { what: problem } : problem;
    super(typeof problem === "string" ? problem : sentence(problem, remedy?.advice));
    this.what = what;
    this.where = where;
    this.remedy = remedy;
  }
}

/** Joins the parts of a problem into a sentence; each front end passes its own wording of the advice. */
export function sentence(
  { what, where }: { what: string; where?: string | undefined },
  advice: string | undefined,
): string {
  return `${where ? `${where}: ` : ""}${what}${advice ? `; ${advice}` : ""}.`;
}

/** Throws `InputError` for the first option that is not one of the known ones. */
export function refuseUnknownOptions(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InputError(`There is no option "${unknown}".`);
}
