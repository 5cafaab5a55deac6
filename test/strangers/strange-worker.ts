import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bindFile } from "../../src/files/bind-file.ts";
import { InputError } from "../../src/input-error.ts";
import { STRANGE_FILES } from "./corpus.ts";

/** How a strange file ended. */
export interface StrangeAnswer {
  outcome: "bound" | "refused" | "fault";
  message: string;
  notes: string[];
}

const RIG = "joints root 0.2 0.1 0.2\njoints tip 0.2 0.6 0.2\nroot root\nhier root tip\n";

/** Makes what binds one strange file after another, from disk to disk. */
export const createStrangeJob = async (): Promise<(what: string) => Promise<StrangeAnswer>> => {
  return async (what) => {
    const strange = STRANGE_FILES.find((file) => file.what === what)!;
    const folder = mkdtempSync(path.join(tmpdir(), "heterskin-strange-"));
    try {
      const input = path.join(folder, strange.name);
      writeFileSync(input, strange.make());
      writeFileSync(path.join(folder, "rig.txt"), RIG);
      const skeleton = strange.name.endsWith(".obj") ? path.join(folder, "rig.txt") : undefined;
      const { notes } = await bindFile(input, path.join(folder, "out.glb"), {
        method: "inverse-distance",
        skeleton,
      });
      return { outcome: "bound", message: "", notes };
    } catch (error) {
      const { message, stack } = error as Error;
      const isClear = error instanceof InputError && /^[^\n]{10,700}[.)!?"]$/.test(message);
      const text = isClear ? message : (stack ?? message);
      return { outcome: isClear ? "refused" : "fault", message: text, notes: [] };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
};
