import type { OnProgress } from "../../src/index.ts";
import {
  ADAPT_STEP,
  DEFAULT_NETWORK,
  giveRuntimeFiles,
  MODELS,
  RUNTIME_FILES,
} from "../../src/parts.ts";
import { type FetchedFile, fetchCached, isCached } from "./fetch-cached.ts";

/** Where the network runs in this browser. */
export type PageProvider = "webgpu" | "wasm";

/**
 * Chooses WebGPU if the visitor asked for it or its runtime is cached from an earlier visit: it is twice as large
 * as that of WebAssembly, too much for a first visit. Software adapters are ignored.
 */
export async function chooseProvider(
  wish: "auto" | PageProvider,
  base: string,
): Promise<PageProvider> {
  if (wish === "wasm") return "wasm";
  const { wasm } = filesFor("webgpu", base);
  if (wish === "auto" && !(await isCached(wasm))) return "wasm";
  const { gpu } = navigator as unknown as {
    gpu?: { requestAdapter(): Promise<{ info?: { isFallbackAdapter?: boolean } } | null> };
  };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  if (!adapter) return "wasm";
  return wish === "webgpu" || !adapter.info?.isFallbackAdapter ? "webgpu" : "wasm";
}

/** Number of threads to start: more than four gain little, and a page that is not isolated may start none. */
export function threadsHere(): number {
  return crossOriginIsolated ? Math.max(1, Math.min(4, navigator.hardwareConcurrency)) : 1;
}

/**
 * Fetches the runtime of a provider and the model, and passes the runtime to ONNX Runtime.
 *
 * @param base address of the page
 * @returns the model's bytes
 */
export async function loadRuntime(
  base: string,
  provider: PageProvider,
  report: OnProgress,
): Promise<Uint8Array<ArrayBuffer>> {
  const { wasm, mjs } = filesFor(provider, base);
  const model = {
    url: new URL(`models/${MODELS[DEFAULT_NETWORK].file}`, base).href,
    ...FETCHED_FILES.model,
  };
  const [wasmBytes, modelBytes] = await fetchAll([wasm, model], report);
  await giveRuntimeFiles(provider, {
    bytes: wasmBytes.buffer,
    mjs,
    wasm: wasm.url,
  });
  return modelBytes;
}

function filesFor(provider: PageProvider, base: string): { wasm: FetchedFile; mjs: string } {
  const address = (ending: string) =>
    new URL(`ort/${RUNTIME_FILES[provider]}.${ending}`, base).href;
  return { wasm: { url: address("wasm"), ...FETCHED_FILES[provider] }, mjs: address("mjs") };
}

/** Fetches the training step of the model, which only learning from an example needs. */
export async function loadStep(base: string): Promise<Uint8Array> {
  const url = new URL(`models/${ADAPT_STEP}.onnx`, base).href;
  return fetchCached({ url, ...FETCHED_FILES.step }, () => undefined);
}

async function fetchAll(
  files: FetchedFile[],
  report: OnProgress,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const received = files.map(() => 0);
  const note = (i: number, bytes: number) => {
    received[i] = bytes;
    report("download", Math.min(1, received.reduce((sum, n) => sum + n, 0) / total));
  };
  return Promise.all(files.map((file, i) => fetchCached(file, (bytes) => note(i, bytes))));
}
