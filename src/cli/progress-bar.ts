/** A line on a terminal that shows how far a stage is. */
export interface ProgressBar {
  update(stage: string, fraction: number): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
}

/** The part of a terminal stream the bar needs. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Milliseconds between two drawings. */
const PAUSE = 80;

const LONGEST_BAR = 30;
const CLEAR_LINE = "\r\x1b[K";

/** A bar on a terminal; on anything else it does nothing. */
export function createProgressBar(terminal: Terminal): ProgressBar {
  let drawn = "";
  let drawnAt = -Infinity;
  let drawnStage = "";
  return {
    update(stage, fraction) {
      const now = performance.now();
      if (!terminal.isTTY || (stage === drawnStage && now - drawnAt < PAUSE)) return;
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
  const share = Math.min(Math.max(fraction || 0, 0), 1);
  const percent = `${Math.round(share * 100)}%`.padStart(4);
  const room = Math.min(LONGEST_BAR, columns - stage.length - percent.length - 4);
  if (room < 5) return `${stage}${percent}`.slice(0, Math.max(columns - 1, 0));
  const full = Math.round(share * room);
  return `${stage} ${"█".repeat(full)}${"░".repeat(room - full)}${percent}`;
}
