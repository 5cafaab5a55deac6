/** Whether a URI holds its data itself. */
export function isDataUri(uri: string): boolean {
  return /^data:/i.test(uri);
}

/** The bytes of a `data:` URI; undefined for any other URI, and for one that cannot be decoded. */
export function decodeDataUri(uri: string): Uint8Array | undefined {
  if (!isDataUri(uri)) return undefined;
  const comma = uri.indexOf(",");
  if (comma < 0) return undefined;
  const payload = uri.slice(comma + 1);
  try {
    if (!/;base64$/i.test(uri.slice(0, comma))) {
      return new TextEncoder().encode(decodeURIComponent(payload));
    }
    const text = atob(payload);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}
