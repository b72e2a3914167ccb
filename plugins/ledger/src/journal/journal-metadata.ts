import { maxLongChars, problemOfPostingDate, problemOfTexts } from '../values/index.ts';
import type { Line } from './lines.ts';

export const entryTypes = ['standard', 'adjusting', 'closing', 'reversing'] as const;
export type EntryType = (typeof entryTypes)[number];

/** One journal entry as requested by an event's metadata (ledger L-87). */
export interface EntryRequest {
  readonly postingDate: string;
  readonly memo: string | null;
  readonly type: EntryType;
  readonly lines: readonly RequestedLine[];
}

/** A line that names its account by its id, or by the id that a provider gave it (ledger L-87). */
export interface RequestedLine extends Line {
  readonly externalId: string | null;
}

export interface JournalRequest {
  readonly status: 'draft' | 'posted';
  /** An existing transaction to add to; only with the flat shape. */
  readonly transactionId: string | null;
  readonly entries: readonly EntryRequest[];
}

/** A problem of the metadata, at a dotted path. */
export class MetadataProblem extends Error {}

type Fields = Readonly<Record<string, unknown>>;

/** Limits of the entries of one event and of the lines of one entry; more entries take several events. */
export const maxEntriesPerEvent = 500;
export const maxLinesPerEntry = 1_000;

/**
 * Reads the metadata of a journal event: one entry directly, or a list of them; both or neither is an error (ledger
 * L-87).
 */
export function readJournal(metadata: Fields): JournalRequest {
  const isFlat = metadata['line_items'] !== undefined;
  const isNested = metadata['entries'] !== undefined;
  if (isFlat === isNested) {
    throw new MetadataProblem(
      'metadata: give either line_items (one entry) or entries (several), not both and not neither.',
    );
  }
  const status = metadata['status'] ?? 'draft';
  if (status !== 'draft' && status !== 'posted')
    throw new MetadataProblem('metadata.status: must be "draft" or "posted".');
  const publish = metadata['publish_to_source'];
  if (publish !== undefined && publish !== null && typeof publish !== 'boolean')
    throw new MetadataProblem('metadata.publish_to_source: must be true or false.');
  if (isFlat) {
    return {
      status,
      transactionId: optionalText(metadata, 'transaction_id', 'metadata'),
      entries: [readEntry(metadata, 'metadata')],
    };
  }
  const list = listOf(metadata['entries'], 'metadata.entries', maxEntriesPerEvent);
  if (list.length === 0) throw new MetadataProblem('metadata.entries: at least one entry is required.');
  return {
    status,
    transactionId: null,
    entries: list.map((entry, index) =>
      readEntry(fieldsOf(entry, `metadata.entries.${index}`), `metadata.entries.${index}`),
    ),
  };
}

function readEntry(fields: Fields, path: string): EntryRequest {
  const postingDate = postingDateOf(fields['posting_date'], path);
  const type = fields['type'] ?? 'standard';
  const known = entryTypes.find((each) => each === type);
  if (known === undefined) throw new MetadataProblem(`${path}.type: must be one of ${entryTypes.join(', ')}.`);
  const lines = listOf(fields['line_items'], `${path}.line_items`, maxLinesPerEntry);
  return {
    postingDate,
    memo: optionalText(fields, 'memo', path),
    type: known,
    lines: lines.map((line, index) => readLine(line, `${path}.line_items.${index}`)),
  };
}

function readLine(value: unknown, path: string): RequestedLine {
  const fields = fieldsOf(value, path);
  const externalId = optionalText(fields, 'element_external_id', path);
  const elementId = optionalText(fields, 'element_id', path);
  if (externalId !== null && elementId !== null)
    throw new MetadataProblem(`${path}: give either element_id or element_external_id, not both.`);
  return {
    externalId,
    elementId: elementId ?? '',
    debit: amountOf(fields, 'debit_amount', path),
    credit: amountOf(fields, 'credit_amount', path),
    description: optionalText(fields, 'description', path),
    metadata: fields['metadata'] == null ? null : fieldsOf(fields['metadata'], `${path}.metadata`),
  };
}

function postingDateOf(value: unknown, path: string): string {
  const problem = problemOfPostingDate(value);
  if (problem !== undefined || typeof value !== 'string')
    throw new MetadataProblem(`${path}.posting_date: ${problem ?? 'must be text.'}`);
  return value;
}

/** A whole number of minor units that JSON carries exactly (ledger L-2). */
function amountOf(fields: Fields, name: string, path: string): bigint {
  const value = fields[name] ?? 0;
  if (!Number.isSafeInteger(value))
    throw new MetadataProblem(`${path}.${name}: must be a whole number of minor units within ±(2^53−1).`);
  return BigInt(Number(value));
}

function optionalText(fields: Fields, name: string, path: string): string | null {
  const value = fields[name] ?? null;
  const problem = problemOfTexts({ [`${path}.${name}`]: value }, maxLongChars);
  if (problem !== undefined) throw new MetadataProblem(problem);
  if (value === null || typeof value === 'string') return value;
  throw new MetadataProblem(`${path}.${name}: must be text.`);
}

function listOf(value: unknown, path: string, itemsMax: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new MetadataProblem(`${path}: must be a list.`);
  if (value.length > itemsMax) throw new MetadataProblem(`${path}: at most ${itemsMax} are allowed at once.`);
  return value;
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value));
  throw new MetadataProblem(`${path}: must be an object.`);
}

/** The request for a reversal (ledger L-60). */
export interface ReversalRequest {
  readonly entryId: string;
  readonly postingDate: string;
  readonly memo: string | null;
}

/** Reads the metadata of a reversal; the date is today's unless given. */
export function readReversal(metadata: Fields, today: string): ReversalRequest {
  const entryId = optionalText(metadata, 'entry_id', 'metadata');
  if (entryId === null || entryId === '')
    throw new MetadataProblem('metadata.entry_id: the entry to reverse is required.');
  const postingDate = postingDateOf(metadata['posting_date'] ?? today, 'metadata');
  optionalText(metadata, 'reason', 'metadata');
  return { entryId, postingDate, memo: optionalText(metadata, 'memo', 'metadata') };
}
