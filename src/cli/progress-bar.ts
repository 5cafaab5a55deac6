/** A line on a terminal that shows the progress of a stage. */
export interface ProgressBar {
  update(stage: string, fraction: number): void;
  /** Removes the line, so that other text can be printed. */
  clear(): void;
}

/** The part of a terminal stream that the bar needs. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string | Uint8Array): unknown;
}

/** Minimum interval between two updates of a stage (ms). */
const INTERVAL = 80;
const MAX_WIDTH = 30;
const CLEAR_LINE = "\r\x1b[K";

/** Creates a progress bar; it does nothing if the stream is not a terminal. */
export function createProgressBar(terminal: Terminal): ProgressBar {
  let drawn = "";
  let drawnAt = -Infinity;
  let drawnStage = "";
  return {
    update(stage, fraction) {
      const now = performance.now();
      if (!terminal.isTTY || (stage === drawnStage && now - drawnAt < INTERVAL)) return;
      const line = barLine(stage, fraction, terminal.columns || 80);
      if (line !== drawn) terminal.write(CLEAR_LINE + line);
      drawn = line;
      drawnStage = stage;
      drawnAt = now;
    },
    clear() {
      if (drawn) terminal.write(CLEAR_LINE);
      drawn = "";
      drawnStage = "";
    },
  };
}

function barLine(stage: string, fraction: number, columns: number): string {
  const clamped = Math.min(Math.max(fraction || 0, 0), 1);
  const percent = `${Math.round(clamped * 100)}%`.padStart(4);
  const width = Math.min(MAX_WIDTH, columns - stage.length - percent.length - 4);
  if (width < 5) return `${stage}${percent}`.slice(0, Math.max(columns - 1, 0));
  const filled = Math.round(clamped * width);
  return `${stage} ${"█".repeat(filled)}${"░".repeat(width - filled)}${percent}`;
}
