import { InputError } from "../input-error.ts";
import type { ProviderName, Runtime } from "./runtime.ts";

/** A provider by name, or `auto`. */
export type Provider = "auto" | ProviderName;

/** A provider, and why it was chosen. */
export interface ProviderChoice {
  provider: ProviderName;
  /** A clause to follow the provider's name. */
  reason: string;
}

/** A choice with its runtime. */
export interface RuntimeChoice extends ProviderChoice {
  runtime: Runtime;
}

/**
 * Returns the providers to try, in order; only the one requested by name, if any.
 *
 * In a browser `auto` is WebGPU, then WebAssembly. In Node it is the CPU, by the native library if installed,
 * else by WebAssembly; with `manyRuns` a GPU, which is slow to start, comes first.
 */
export async function chooseProviders(
  wanted: Provider = "auto",
  manyRuns = false,
): Promise<RuntimeChoice[]> {
  const { choices, auto, lacks } = await (inBrowser() ? browserChoices() : nodeChoices(manyRuns));
  if (wanted === "auto") return choices.filter(({ provider }) => auto.includes(provider));
  const found = choices.find(({ provider }) => provider === wanted);
  if (found) return [{ ...found, reason: "as requested" }];
  const others = choices.map(({ provider }) => provider).join(" or ");
  const why = lacks ? ` (${lacks})` : "";
  throw new InputError(`The provider "${wanted}" is not available${why}; use ${others}, or auto.`);
}

/** Returns the first choice of {@link chooseProviders}, for reports. */
export async function describeProvider(wanted?: Provider): Promise<ProviderChoice> {
  const [{ provider, reason }] = await chooseProviders(wanted);
  return { provider, reason };
}

/** Throws an `InputError` with the package to install if the native library is not available. */
export async function requireNative(what: string): Promise<void> {
  const { NATIVE_PACKAGE: name, nativeProblem } = await import("./native-runtime.ts");
  const why = await nativeProblem();
  if (why)
    throw new InputError(`${what} needs the package ${name}, which ${why}; install it with npm.`);
}

interface Environment {
  choices: RuntimeChoice[];
  /** Providers used without being requested. */
  auto: ProviderName[];
  /** Why others are not available. */
  lacks?: string;
}

async function browserChoices(): Promise<Environment> {
  const { portableRuntime: runtime } = await import("./portable-runtime.ts");
  return {
    choices: [
      { provider: "webgpu", runtime, reason: "the browser has WebGPU" },
      { provider: "wasm", runtime, reason: "the browser has no working WebGPU" },
    ],
    auto: ["webgpu", "wasm"],
  };
}

async function nodeChoices(manyRuns: boolean): Promise<Environment> {
  const { NATIVE_PACKAGE, nativeRuntime, nativeProblem } = await import("./native-runtime.ts");
  const { portableRuntime } = await import("./portable-runtime.ts");
  const why = await nativeProblem();
  const lacks = `${NATIVE_PACKAGE} ${why}`;
  const portable: RuntimeChoice = { provider: "wasm", runtime: portableRuntime, reason: lacks };
  if (why) return { choices: [portable], auto: ["wasm"], lacks };
  const native = { runtime: nativeRuntime, reason: `${NATIVE_PACKAGE} is installed` };
  return {
    choices: [{ provider: "webgpu", ...native }, { provider: "cpu", ...native }, portable],
    // A GPU takes longer to start than one run takes on the CPU.
    auto: manyRuns ? ["webgpu", "cpu"] : ["cpu"],
  };
}

/** Whether this is a page or its worker. */
function inBrowser(): boolean {
  const scope = globalThis as { window?: unknown; importScripts?: unknown };
  return scope.window !== undefined || scope.importScripts !== undefined;
}
