/**
 * Starting jax-js, and its rules of ownership.
 *
 * jax-js counts references. Every operation consumes its operands: after `y = x.add(1)` the array `x` is gone.
 * To use an array more than once, take another reference first: `x.ref.mul(x)`.
 * - An argument of a function belongs to the function: use it once, or `.ref` it and consume the last one.
 * - `x.data()` consumes too; `x.ref.data()` keeps `x`. `x.shape` and `x.dtype` do not consume.
 * - `x.dispose()` releases a reference that no operation has consumed; `tree.ref` and `tree.dispose` do it for
 *   a record of arrays.
 * - While a function is traced (`makeJaxpr`, our exporter) a missing `dispose` is harmless and a missing `.ref`
 *   still throws, so code that traces cleanly leaks at worst when it is run eagerly.
 * - `einsum` with a string needs Node 22; with lists of axes, `einsum(x, [0, 1], y, [1, 2], [0, 2])`, it works.
 * - `jit(grad(f))` fails in 0.1.25 if `f` has `take(...).reshape(...)`; `grad(f)` and tracing work.
 */
import { init } from "@jax-js/jax";

let started: Promise<unknown> | undefined;

/** Starts jax-js once, on its WebAssembly backend (`init()` alone reads `navigator`, which Node 20 lacks). */
export async function startJax(): Promise<void> {
  const scope = globalThis as { navigator?: unknown };
  scope.navigator ??= { hardwareConcurrency: 1 };
  started ??= init("wasm");
  await started;
}
