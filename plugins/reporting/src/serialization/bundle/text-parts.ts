const minPartCharacters = 64 * 1024;

/** Joins the parts of a text to parts of some size, because a part that is sent costs more than the text of a fact. */
export function* largeParts(parts: Iterable<string>): Generator<string> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < minPartCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** The bytes of a text that is written in parts, in parts of some size. */
export async function* encodedParts(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of largeParts(parts)) yield Buffer.from(part, 'utf8');
}

/** A value as JSON with an indentation of two, at a place that is indented already: no text in JSON has line breaks. */
export function indentedJson(value: unknown, indent: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);
}
