/** Characters of a name, a number or another short text; also of what an index holds, whose entries have a size. */
export const maxShortChars = 500;

/** Characters of a description, memo, note or reason, and of an address on the web. */
export const maxLongChars = 4_000;

/** Characters of what callers keep beside agents and handlers, and of the template of a handler, as JSON. */
export const maxFieldsChars = 100_000;

/** Characters of the metadata of an event as JSON: it may hold hundreds of entries. */
const maxMetadataChars = 2_000_000;

/** Metadata of events by which others are found, so that an index holds it. */
const keyFields = ['qb_doc_number', 'schedule_id'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with the length of texts that belong to fields; undefined when nothing is. */
export function problemOfTexts(fields: Fields, charsMax: number): string | undefined {
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string' && value.length > charsMax) return tooLong(name, value.length, charsMax);
  return undefined;
}

/** What is wrong with the size of objects that belong to fields; undefined when nothing is. */
export function problemOfSize(fields: Fields, charsMax: number): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const length = value === undefined || value === null ? 0 : JSON.stringify(value).length;
    if (length > charsMax) return tooLong(name, length, charsMax);
  }
  return undefined;
}

/**
 * What is wrong with the size of an event's metadata, sent in this field; undefined when nothing is. What was kept before
 * counts towards the whole, in which a patch may not grow for ever, and is not looked at otherwise.
 */
export function problemOfMetadata(name: string, sent: Fields, kept: Fields = {}): string | undefined {
  if (Object.keys(sent).length === 0) return undefined;
  const keys = Object.fromEntries(keyFields.map((key) => [`${name}.${key}`, sent[key]]));
  return problemOfSize({ [name]: { ...kept, ...sent } }, maxMetadataChars) ?? problemOfTexts(keys, maxShortChars);
}

function tooLong(name: string, length: number, charsMax: number): string {
  return `${name}: at most ${charsMax} characters are taken, and these are ${length}.`;
}
