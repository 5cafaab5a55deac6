import { InputError } from "../input-error.ts";
import type { ProviderName, Runtime } from "./runtime.ts";

/** Where to run: a provider by name, or `auto`. */
export type Provider = "auto" | ProviderName;

/** A place to run a graph, and why it was taken. */
export interface ProviderChoice {
  provider: ProviderName;
  /** A part of a sentence, to be read after the provider's name. */
  reason: string;
}

/** A choice with the runtime that has it. */
export interface RuntimeChoice extends ProviderChoice {
  runtime: Runtime;
}

/**
 * The providers to try, in order; one that is asked for by name is the only one.
 *
 * In a browser `auto` is WebGPU, then WebAssembly. In Node it is the processor, by the native library
 * where that is installed, else by WebAssembly; with `manyRuns` a GPU, whose start costs, comes first.
 */
export async function chooseProviders(
  wanted: Provider = "auto",
  manyRuns = false,
): Promise<RuntimeChoice[]> {
  const { choices, auto, lacks } = await (inBrowser() ? browserChoices() : nodeChoices(manyRuns));
  if (wanted === "auto") return choices.filter(({ provider }) => auto.includes(provider));
  const found = choices.find(({ provider }) => provider === wanted);
  if (found) return [{ ...found, reason: "as asked" }];
  const others = choices.map(({ provider }) => provider).join(" or ");
  const why = lacks ? ` (${lacks})` : "";
  throw new InputError(`There is no provider "${wanted}" here${why}; use ${others}, or auto.`);
}

/** What the first try of {@link chooseProviders} will be, for reports. */
export async function describeProvider(wanted?: Provider): Promise<ProviderChoice> {
  const [{ provider, reason }] = await chooseProviders(wanted);
  return { provider, reason };
}

/** Says what to install where the native library is not at hand but needed. */
export async function requireNative(what: string): Promise<void> {
  const { NATIVE_PACKAGE, whyNotNative } = await import("./native-runtime.ts");
  const why = await whyNotNative();
  if (why) {
    throw new InputError(
      `${what} needs the package ${NATIVE_PACKAGE}, which ${why}; run npm install ${NATIVE_PACKAGE}.`,
    );
  }
}

interface Environment {
  choices: RuntimeChoice[];
  /** Those that are taken unasked. */
  auto: ProviderName[];
  /** Why there are not more. */
  lacks?: string;
}

async function browserChoices(): Promise<Environment> {
  const { portableRuntime: runtime } = await import("./portable-runtime.ts");
  return {
    choices: [
      { provider: "webgpu", runtime, reason: "the browser has WebGPU" },
      { provider: "wasm", runtime, reason: "the browser has no WebGPU that works" },
    ],
    auto: ["webgpu", "wasm"],
  };
}

async function nodeChoices(manyRuns: boolean): Promise<Environment> {
  const { NATIVE_PACKAGE, nativeRuntime, whyNotNative } = await import("./native-runtime.ts");
  const { portableRuntime } = await import("./portable-runtime.ts");
  const why = await whyNotNative();
  const lacks = `${NATIVE_PACKAGE} ${why}`;
  const portable: RuntimeChoice = { provider: "wasm", runtime: portableRuntime, reason: lacks };
  if (why) return { choices: [portable], auto: ["wasm"], lacks };
  const native = { runtime: nativeRuntime, reason: `${NATIVE_PACKAGE} is installed` };
  return {
    choices: [{ provider: "webgpu", ...native }, { provider: "cpu", ...native }, portable],
    // A GPU takes longer to start than one run takes on the processor.
    auto: manyRuns ? ["webgpu", "cpu"] : ["cpu"],
  };
}

/** True in a page or its worker; Node has neither. */
function inBrowser(): boolean {
  const scope = globalThis as { window?: unknown; importScripts?: unknown };
  return scope.window !== undefined || scope.importScripts !== undefined;
}
