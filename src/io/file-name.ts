/** The last part of a path, whichever way its slashes lean. */
export function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, "");
}

/** A path without its ending. */
export function stemOf(path: string): string {
  return path.replace(/\.[^.]*$/, "");
}

/** A URI, or an id, without its escapes; as it is where they are damaged. */
export function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Cut to what fits into a sentence. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
