import type { Ask } from "../ask.ts";
import type { Engine } from "../engine.ts";
import type { PickedFile } from "../file-calls.ts";
import type { FitOptions } from "../fit-skeleton.ts";
import type { History } from "../history.ts";
import type { SavedFile, SaveRequest } from "../save-file.ts";
import type { Store } from "../store.ts";

/** What actions have in common. */
export interface Context {
  store: Store;
  engine: Engine;
  history: History;
  ask: Ask;
  /** Takes the question that stands back, as if nothing was chosen. */
  withdraw(): void;
  /** Says what went wrong. */
  tell(error: unknown): void;
  /** Says something of note, with a button to act on it; what it gives takes that back. */
  notice(sentence: string, offer?: { text: string; act: () => void }): () => void;
  /** Takes back what was said to have gone wrong: something went well since. */
  calm(): void;
  busy(stage?: string, fraction?: number): void;
  /** Ends what the binder does; its late answers are dropped. */
  stop(): void;
  /** Counts what was asked of the binder, so that late answers are known. */
  turn: number;
}

/** What a visitor can make the page do; errors end in an alert, and the page continues. */
export interface Actions {
  history: History;
  openFiles(files: PickedFile[]): Promise<void>;
  openSample(name: string): Promise<void>;
  /** Binds with the options of the panel. */
  bind(): Promise<void>;
  /** Learns from a rigged character, and binds in its style. */
  teach(files: PickedFile[]): Promise<void>;
  /** Takes up what was learned on an earlier visit. */
  recall(): Promise<void>;
  /** What was learned, as a model that the command line takes too. */
  learnedModel(): Uint8Array<ArrayBuffer> | undefined;
  /** Binds without what was learned. */
  forget(): Promise<void>;
  /** Takes weight off far joints, as weights of their own. */
  refine(): Promise<void>;
  /** Applies the remedies of findings, by index in the review, as weights of their own. */
  fix(findings: number[]): Promise<void>;
  /** Takes weights from another character in the same place, as weights of their own. */
  transfer(files: PickedFile[]): Promise<void>;
  /** Adds naive weights to compare with. */
  addNaive(): Promise<void>;
  choose(id: number): void;
  compareWith(id: number): void;
  removeBind(id: number): void;
  cancel(): void;
  /** Finds what depends on the weights: doubts, and how they compare with the file's. */
  review(): Promise<void>;
  save(request: SaveRequest): Promise<SavedFile | undefined>;
  /** Puts a template into a mesh without skeleton. */
  fit(template: string, how?: Partial<FitOptions>): Promise<void>;
  takeSkeleton(file: PickedFile): Promise<void>;
  /** Takes the joints as they were dragged, and binds. */
  acceptSkeleton(): Promise<void>;
  /** Goes back from the weights to placing the joints. */
  adjustSkeleton(): Promise<void>;
  undo(): void;
  redo(): void;
}
