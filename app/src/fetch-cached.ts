/** Name of the cache for large files, whose addresses contain their version; the service worker fills it too. */
export const LARGE_FILES_CACHE = "heterskin";

/** A large file that comes with the page. */
export interface FetchedFile {
  url: string;
  /** Changes with the content, so that the cache never returns an old file. */
  version: string;
  /** Uncompressed size in bytes, for the progress. */
  bytes: number;
}

/**
 * Fetches a large file and keeps it in the browser's cache for the next visit.
 *
 * @param onProgress receives the number of bytes loaded
 */
export async function fetchCached(
  { url, version, bytes }: FetchedFile,
  onProgress: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const address = `${url}?v=${version}`;
  const cache = await openCache();
  const kept = await cache?.match(address);
  if (kept) {
    const content = new Uint8Array(await kept.arrayBuffer());
    onProgress(content.length);
    return content;
  }
  const response = await fetch(address);
  if (!response.ok || !response.body) {
    throw new Error(
      `${url} could not be fetched (${response.status}); reload the page to try again.`,
    );
  }
  const content = await collect(response.body, bytes, onProgress);
  await keep(cache, url, address, content);
  return content;
}

/** Whether a file is cached from an earlier visit. */
export async function isCached({ url, version }: FetchedFile): Promise<boolean> {
  return (await (await openCache())?.match(`${url}?v=${version}`)) !== undefined;
}

/** The cache; absent in private windows and on pages without https, where everything works without it. */
async function openCache(): Promise<Cache | undefined> {
  try {
    return await caches.open(LARGE_FILES_CACHE);
  } catch {
    return undefined;
  }
}

async function collect(
  body: ReadableStream<Uint8Array>,
  expected: number,
  onProgress: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  let content = new Uint8Array(expected);
  let size = 0;
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return content.subarray(0, size);
    if (size + value.length > content.length) {
      const larger = new Uint8Array((size + value.length) * 2);
      larger.set(content);
      content = larger;
    }
    content.set(value, size);
    size += value.length;
    onProgress(size);
  }
}

async function keep(
  cache: Cache | undefined,
  url: string,
  address: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<void> {
  if (!cache) return;
  try {
    await cache.delete(url, { ignoreSearch: true });
    await cache.put(address, new Response(content));
  } catch {
    // A full disk is no reason to fail.
  }
}
