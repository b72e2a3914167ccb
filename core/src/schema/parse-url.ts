/**
 * The address that a text is; undefined when it is none. `URL.canParse` of Node 20 answers false for addresses with
 * letters beyond ASCII after some thousand calls, once the engine has compiled the calling code.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
