import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { modelPath } from "../io/disk/model-path.ts";
import { writeWhole } from "../io/disk/write-whole.ts";
import { SKIN_DEFAULTS } from "../skin.ts";
import { hashFile } from "./batch-fingerprint.ts";
import type { BatchSettings } from "./batch-row.ts";
import { adaptedModel, type BindFileOptions, type BindSettings } from "./bind-file.ts";
import { loadModel } from "./load-model.ts";
import { packageVersion } from "./package-root.ts";
import { templateOf } from "./read-for-bind.ts";

/**
 * Learns from the examples before the first file, into a file that all workers read; nothing where there
 * are no examples.
 *
 * @param makeFolder called once something was learned
 */
export async function learnOnce(
  bind: BindSettings,
  makeFolder: () => Promise<string>,
  { signal, onProgress }: Pick<BindFileOptions, "signal" | "onProgress">,
): Promise<{ adapted: string } | undefined> {
  const { method = SKIN_DEFAULTS.method, like = [], threads: _, ...rest } = bind;
  if (like.length === 0) return undefined;
  const base = await loadModel(method, bind.model);
  const model = await adaptedModel(method, base, { ...rest, like, signal, onProgress });
  if (!model) return undefined;
  const adapted = path.join(await makeFolder(), "adapted.onnx");
  writeWhole([[adapted, model]]);
  return { adapted };
}

/** One value for all that outputs depend on besides their inputs. */
export async function settingsKey(settings: BatchSettings): Promise<string> {
  const { adapted, noCache: _, ...bind } = settings.bind;
  const { model, method = SKIN_DEFAULTS.method } = bind;
  const skeleton = templateOf(bind.skeleton) === undefined ? bind.skeleton : undefined;
  if (skeleton && !existsSync(skeleton)) throw new InputError(`${skeleton}: no such file.`);
  const parts = [
    packageVersion(),
    JSON.stringify({ ...settings, bind }),
    await hashFile(model ?? modelPath(method)),
    skeleton ? await hashFile(skeleton) : "",
    adapted ? await hashFile(adapted) : "",
  ];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}
