import type { CommandOption } from "./command.ts";

/** Whether something is to be done at all. */
export const flag = (help: string, short?: string): CommandOption => ({
  ...{ type: "flag", help },
  ...(short && { short }),
});

/** @param value what the help calls it */
export const text = (value: string, help: string, fallback?: string): CommandOption => ({
  ...{ type: "text", value, help, default: fallback },
});

/** A text that is one of a few. */
export const choice = (
  value: string,
  choices: readonly string[],
  help: string,
  fallback?: string,
): CommandOption => ({ ...text(value, help, fallback), choices });

/** A number within bounds, both included. */
export const number = (
  value: string,
  [least, most]: readonly [number, number],
  help: string,
  fallback?: number,
): CommandOption => ({ type: "number", value, least, most, help, default: fallback });

/** Likewise, without fractions. */
export const whole = (...about: Parameters<typeof number>): CommandOption => ({
  ...number(...about),
  whole: true,
});

/** What random numbers hang on: any whole number. */
export const seed = (help: string, fallback: number): CommandOption => ({
  ...{ type: "number", whole: true, help, default: fallback },
});
