/** Lets work in while it fits into memory together; one is always let in, whatever its size. */
export interface MemoryGate {
  /** Waits until there is room. */
  enter(bytes: number): Promise<void>;
  leave(bytes: number): void;
}

/** Makes a gate to so many bytes. */
export function createMemoryGate(memory: number): MemoryGate {
  const waiting: { bytes: number; resume: () => void }[] = [];
  let [used, inside] = [0, 0];
  const letIn = () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (inside > 0 && used + next.bytes > memory) return;
      waiting.shift();
      used += next.bytes;
      inside++;
      next.resume();
    }
  };
  return {
    enter: (bytes) =>
      new Promise((resume) => {
        waiting.push({ bytes, resume });
        letIn();
      }),
    leave(bytes) {
      used -= bytes;
      inside--;
      letIn();
    },
  };
}
