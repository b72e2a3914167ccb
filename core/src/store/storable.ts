/**
 * A text in which PostgreSQL can store every character: U+0000 becomes the six characters `\u0000`. For messages of runs,
 * which may quote a value of a caller (platform L-15).
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\\u0000');
}

/** Escapes of JSON: an escaped character that no jsonb has (U+0000, an unpaired surrogate), or any other escape. */
const escapes = /\\(u(?:0000|d[89a-f][0-9a-f]{2})|.)/g;

const unpairedSurrogate = /\p{Surrogate}/u;

/** True if PostgreSQL can store a text, or each text and name of a JSON value: without U+0000 and unpaired surrogates. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !unpairedSurrogate.test(value);
  return storableJson(value) === JSON.stringify(value);
}

/** JSON that PostgreSQL can store as jsonb: texts and names show U+0000 and unpaired surrogates as their escapes. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\u')) return json;
  // JSON.stringify writes surrogates of a pair as characters, so that an escaped one is unpaired.
  return json.replaceAll(escapes, (match, code: string) => (code.length > 1 ? `\\${match}` : match));
}
