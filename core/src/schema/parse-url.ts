/**
 * Parses a URL; undefined if it is invalid. Avoids `URL.canParse`, which in Node 20 returns false for URLs with
 * non-ASCII letters after some thousand calls, once V8 has compiled the calling code.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
