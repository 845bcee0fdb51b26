/** Parses JSON. Returns undefined if the text is no JSON. */
export function jsonOf(text: string | Buffer | undefined): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
