import type { Ask } from "../ask.ts";
import type { Engine } from "../engine.ts";
import type { PickedFile } from "../file-calls.ts";
import type { FitOptions } from "../fit-skeleton.ts";
import type { History } from "../history.ts";
import type { SavedFile, SaveRequest } from "../save-file.ts";
import type { Store } from "../store.ts";

/** What all actions share. */
export interface Context {
  store: Store;
  engine: Engine;
  history: History;
  ask: Ask;
  /** Cancels the open question. */
  cancelQuestion(): void;
  /** Shows an error in an alert. */
  tell(error: unknown): void;
  /** Shows a notice, optionally with a button; the returned function removes it. */
  notice(sentence: string, offer?: { text: string; act: () => void }): () => void;
  /** Removes the alert of an earlier error after a later task has succeeded. */
  clearError(): void;
  busy(stage?: string, fraction?: number): void;
  /** Stops the bind worker; results that arrive later are ignored. */
  stop(): void;
  /** Number of the latest task of the bind worker, to recognize late results. */
  turn: number;
}

/** What a visitor can do in the page. Errors are shown in an alert; the page keeps working. */
export interface Actions {
  history: History;
  openFiles(files: PickedFile[]): Promise<void>;
  openSample(name: string): Promise<void>;
  /** Binds with the options of the panel. */
  bind(): Promise<void>;
  /** Learns from a rigged character, and binds in its style. */
  teach(files: PickedFile[]): Promise<void>;
  /** Restores the style learned on an earlier visit. */
  recall(): Promise<void>;
  /** The adapted model, which the command line reads too. */
  learnedModel(): Uint8Array<ArrayBuffer> | undefined;
  /** Discards the learned style and binds again. */
  forget(): Promise<void>;
  /** Removes weight from distant joints; adds the result to the list. */
  refine(): Promise<void>;
  /** Applies the remedies of findings, by index in the review; adds the result to the list. */
  fix(findings: number[]): Promise<void>;
  /** Transfers weights from another character in the same position; adds the result to the list. */
  transfer(files: PickedFile[]): Promise<void>;
  /** Adds naive weights for comparison. */
  addNaive(): Promise<void>;
  choose(id: number): void;
  compareWith(id: number): void;
  removeBind(id: number): void;
  cancel(): void;
  /** Reviews the weights: finds doubts and compares them with the file's weights. */
  review(): Promise<void>;
  save(request: SaveRequest): Promise<SavedFile | undefined>;
  /** Fits a template into a mesh without a skeleton. */
  fit(template: string, how?: Partial<FitOptions>): Promise<void>;
  takeSkeleton(file: PickedFile): Promise<void>;
  /** Accepts the joints as they were dragged, and binds. */
  acceptSkeleton(): Promise<void>;
  /** Returns from the weights to placing the joints. */
  adjustSkeleton(): Promise<void>;
  undo(): void;
  redo(): void;
}
