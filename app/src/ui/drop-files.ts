import type { PickedFile } from "../file-calls.ts";

/** Accepts files and folders dropped anywhere on the page. */
export function connectDrop(open: (files: PickedFile[]) => void): void {
  const { classList } = document.body;
  let drops = 0;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    classList.add("dragging");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) classList.remove("dragging");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    classList.remove("dragging");
    const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
    const plain = [...(event.dataTransfer?.files ?? [])];
    const drop = ++drops;
    const found = collectFiles(entries.filter((entry) => entry !== null));
    // If a folder cannot be read, use the files as they are; a later drop may finish first.
    void found
      .catch(() => [])
      .then((files) => {
        if (drop !== drops) return;
        open(files.length > 0 ? files : plain.map((content) => ({ name: content.name, content })));
      });
  });
}

/** Lists all files of a drop, including those in folders. */
export async function collectFiles(entries: FileSystemEntry[]): Promise<PickedFile[]> {
  const found: PickedFile[] = [];
  for (const entry of entries) {
    if (entry.isFile) {
      const content = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      );
      found.push({ name: content.name, content });
    } else {
      found.push(...(await collectFiles(await entriesIn(entry as FileSystemDirectoryEntry))));
    }
  }
  return found;
}

/** Lists all entries of a folder: browsers return them in batches of a hundred, until one is empty. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}
