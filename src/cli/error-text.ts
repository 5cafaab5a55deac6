import { InputError, sentence } from "../input-error.ts";

/** Whether the command that failed has an option. */
type HasOption = (name: string) => boolean;

/** Describes an error for a program: `code`, the sentence, and its parts. */
export function errorJson(error: unknown, hasOption?: HasOption): object {
  const message = error instanceof Error ? messageOf(error, hasOption) : String(error);
  if (!(error instanceof InputError)) return { code: "internal", message };
  const { code, what, where, remedy } = error;
  return { code, message, what, where, remedy };
}

/** Describes an error for a person; with `verbose`, its stack too. */
export function errorText(error: unknown, verbose: boolean, hasOption?: HasOption): string {
  const message = error instanceof Error ? messageOf(error, hasOption) : String(error);
  const stack = verbose && error instanceof Error && error.stack ? `\n${error.stack}` : "";
  if (error instanceof InputError) return `heterskin: ${message}${stack}`;
  const more = verbose ? "" : " with the output of --verbose";
  return `heterskin: ${message}\nThis is an internal error; please report it${more}.${stack}`;
}

/** Returns the message of an error with the flag that helps: "out.glb: the file exists; allow overwriting (--force)." */
export function messageOf(error: Error, hasOption: HasOption = () => true): string {
  if (!(error instanceof InputError) || !error.remedy?.option) return error.message;
  const { advice, option } = error.remedy;
  // Not `flagName`, so that the parent process does not load the option table.
  const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return hasOption(flag) ? sentence(error, `${advice} (--${flag})`) : error.message;
}
