import { invalidInput, isWebLink } from '@pacioli/core';

/**
 * Limit of a name, a number or another short text; also of indexed texts, because index entries have a maximum size.
 */
export const maxShortChars = 500;

/** Limit of a description, memo, note or reason, and of a web address. */
export const maxLongChars = 4_000;

/** Limit of the metadata of agents and handlers, and of the template of a handler, in characters of JSON. */
export const maxFieldsChars = 100_000;

/** Limit of the metadata of an event, in characters of JSON: it may hold hundreds of entries. */
const maxMetadataChars = 2_000_000;

/** Metadata keys of events that lookups use, so that they are indexed. */
const keyFields = ['qb_doc_number', 'schedule_id'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the first field whose text is too long, as a sentence, or undefined. */
export function problemOfTexts(fields: Fields, charsMax: number): string | undefined {
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string' && value.length > charsMax) return tooLong(name, value.length, charsMax);
  return undefined;
}

/** Returns the first field whose object is too large, as a sentence, or undefined. */
export function problemOfSize(fields: Fields, charsMax: number): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const length = value === undefined || value === null ? 0 : JSON.stringify(value).length;
    if (length > charsMax) return tooLong(name, length, charsMax);
  }
  return undefined;
}

/**
 * Returns the problem of the size of an event's metadata, sent in this field, or undefined. Stored metadata counts
 * toward the total, so that repeated patches cannot grow it without limit; it is not checked otherwise.
 */
export function problemOfMetadata(name: string, sent: Fields, kept: Fields = {}): string | undefined {
  if (Object.keys(sent).length === 0) return undefined;
  const keys = Object.fromEntries(keyFields.map((key) => [`${name}.${key}`, sent[key]]));
  return problemOfSize({ [name]: { ...kept, ...sent } }, maxMetadataChars) ?? problemOfTexts(keys, maxShortChars);
}

function tooLong(name: string, length: number, charsMax: number): string {
  return `${name}: at most ${charsMax} characters are allowed, not ${length}.`;
}

/** Rejects notes and reasons that are too long to store. */
export function requireTextWithinLimit(texts: Readonly<Record<string, string | null | undefined>>): void {
  const problem = problemOfTexts(texts, maxLongChars);
  if (problem !== undefined) throw invalidInput(problem);
}

/**
 * Trims a text for storage. Blank text becomes null, because callers who send "" mean the same as those who omit the
 * field (ledger L-33, L-83).
 */
export function normalizedText(text: string | null | undefined): string | null {
  const kept = text?.trim() ?? '';
  return kept === '' ? null : kept;
}

/** Returns the problem of the first text that is unsafe as a link, or undefined. Absent texts pass. */
export function problemOfLinks(fields: Readonly<Record<string, string | null | undefined>>): string | undefined {
  for (const [name, link] of Object.entries(fields)) {
    if (link != null && !isWebLink(link)) {
      return `${name}: a link must be absolute and begin with http:// or https://, such as https://example.org/page.`;
    }
  }
  return undefined;
}
