import { invalidInput, ServiceError } from '@pacioli/core';
import { looksLikeCredential } from './credentials.ts';

const maxTags = 20;
const maxTextCharacters = 10_000;
const maxQueryCharacters = 500;
const maxNameCharacters = 64;
const maxReferenceCharacters = 2_048;
const maxProvenanceBytes = 8_192;
/** The names above a value that may be that of a secret; more would make a deep value slow to check. */
const maxOuterNames = 4;

type Provenance = Readonly<Record<string, unknown>>;

/** The texts that are stored for a memory: undefined was not given, null clears the field. */
interface StoredTexts {
  readonly text?: string | undefined;
  readonly source?: string | undefined;
  readonly memoryType?: string | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly sourceRef?: string | null | undefined;
  readonly provenance?: Provenance | null | undefined;
}

/** The texts as they are stored: trimmed, within their limits (422, ME-4), and without secrets (422, ME-14). */
export function storedTexts(given: StoredTexts): StoredTexts {
  const { text, source, memoryType, tags, sourceRef, provenance } = given;
  const stored = {
    text: text === undefined ? undefined : trimmed('text', text, maxTextCharacters),
    source: source === undefined ? undefined : trimmed('source', source, maxNameCharacters),
    memoryType: memoryType === undefined ? undefined : trimmed('memory_type', memoryType, maxNameCharacters),
    tags: tags == null ? tags : validTags(tags),
    sourceRef: sourceRef == null ? sourceRef : trimmed('source_ref', sourceRef, maxReferenceCharacters),
    provenance: provenance == null ? provenance : validProvenance(provenance),
  };
  refuseCredentials(stored);
  return stored;
}

/** The query of a recall without white space around it; 422 outside of its limits (ME-4). */
export function requireQuery(query: string): string {
  return trimmed('query', query, maxQueryCharacters);
}

/** The stored and the added tags, each once; 422 if they are more than a memory can have (ME-12). */
export function unitedTags(
  before: readonly string[] | null,
  added: readonly string[] | null | undefined,
): readonly string[] | null {
  if (added == null || added.length === 0) return before;
  const united = [...new Set([...(before ?? []), ...added])];
  if (united.length <= maxTags) return united;
  throw invalidInput(
    `tags: this text is stored already, and would have ${united.length} tags with these. A memory has at most ${maxTags}; ` +
      'change its tags with update-memory.',
  );
}

function trimmed(field: string, given: string, most: number): string {
  const text = given.trim();
  // The length in UTF-16 is never less than the number of characters, and most texts are short.
  const isTooLong = text.length > most && [...text].length > most;
  if (text === '' || isTooLong)
    throw invalidInput(`${field}: must have 1 to ${most} characters besides white space around it.`);
  return text;
}

function validTags(tags: readonly string[]): readonly string[] {
  if (tags.length > maxTags) throw invalidInput(`tags: at most ${maxTags} are allowed.`);
  return [...new Set(tags.map((tag, index) => trimmed(`tags.${index}`, tag, maxNameCharacters)))];
}

function validProvenance(provenance: Provenance): Provenance {
  const bytes = Buffer.byteLength(JSON.stringify(provenance));
  if (bytes <= maxProvenanceBytes) return provenance;
  throw invalidInput(`provenance: has ${bytes} bytes as JSON, and at most ${maxProvenanceBytes} are allowed.`);
}

function refuseCredentials(texts: StoredTexts): void {
  if (![...textsIn(texts)].some(looksLikeCredential)) return;
  throw new ServiceError('invalid_input', 'CREDENTIAL_IN_MEMORY', 'Memory text looks like a credential.');
}

/**
 * All texts in a value: also numbers, because a card number may be one, and names of fields, each also with the texts
 * below it, because a password is known by its name.
 */
function* textsIn(value: unknown, names: readonly string[] = []): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    yield String(value);
    for (const name of names) yield `${name}: ${value}`;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (Array.isArray(value)) {
      yield* textsIn(field, names);
      continue;
    }
    yield name;
    yield* textsIn(field, [...names.slice(1 - maxOuterNames), name]);
  }
}
