import { isEqualJson } from '../event-blocks/index.ts';
import type { LedgerEntry } from '../rows.gen.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The metadata keys of an event that belong to the books and not to its provider (ledger L-136). */
const bookKeys: ReadonlySet<string> = new Set([
  'drift_payload',
  'drift_header',
  'drift_detected_at',
  'qb_sync_token',
  'connection_id',
  'reconciliation_history',
  'publish_to_source',
]);

function isOfProvider(key: string): boolean {
  return !bookKeys.has(key) && !key.startsWith('dispatch_');
}

/** The provider's part of an event's metadata, which is compared. */
export function comparable(metadata: Fields): Fields {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => isOfProvider(key)));
}

/** True when two payloads are equal in the provider's part. */
export function isSamePayload(one: Fields, other: Fields): boolean {
  return isEqualJson(comparable(one), comparable(other));
}

/** The metadata of an event once a payload is accepted: the provider's fields are replaced, those of the books stay. */
export function accepting(metadata: Fields, payload: Fields): Fields {
  const { drift_payload: _payload, drift_header: _header, drift_detected_at: _at, ...rest } = metadata;
  const kept = Object.entries(rest).filter(([key]) => !isOfProvider(key));
  return { ...comparable(payload), ...Object.fromEntries(kept) };
}

/** A line of either side of the comparison; debit-positive in minor units. */
export interface ComparedLine {
  readonly elementId: string | null;
  /** The provider's id of an account that is not mapped. */
  readonly externalId: string | null;
  readonly net: bigint;
}

export interface DeltaLine {
  readonly elementId: string | null;
  readonly externalId: string | null;
  readonly prior: bigint;
  readonly accepted: bigint;
  readonly delta: bigint;
}

/**
 * The change of each account from the books to the accepted payload; unchanged accounts are left out (ledger L-137).
 */
export function deltaOf(prior: readonly ComparedLine[], accepted: readonly ComparedLine[]): readonly DeltaLine[] {
  const rows = new Map<string, DeltaLine>();
  const add = (line: ComparedLine, side: 'prior' | 'accepted') => {
    const key = line.elementId ?? `external:${line.externalId}`;
    const row = rows.get(key) ?? {
      elementId: line.elementId,
      externalId: line.externalId,
      prior: 0n,
      accepted: 0n,
      delta: 0n,
    };
    rows.set(key, {
      ...row,
      [side]: row[side] + line.net,
      delta: row.delta + (side === 'prior' ? -line.net : line.net),
    });
  };
  for (const line of prior) add(line, 'prior');
  for (const line of accepted) add(line, 'accepted');
  return [...rows.values()].filter(({ delta }) => delta !== 0n);
}

/** An entry that the books have for an event. */
export interface PriorEntry extends Pick<LedgerEntry, 'id' | 'posting_date' | 'status' | 'reversal_of' | 'provenance'> {
  /** True when its transaction has entries of other events. */
  readonly shares_transaction: boolean;
}

/** Provenances of entries on which other records depend, such as the months of a schedule (ledger L-183, L-188). */
const ownProvenances: ReadonlySet<string> = new Set(['schedule_derived', 'system_computed']);

/** The reasons that block replacing the entries of an event (ledger L-139). */
export function restateBlockers(entries: readonly PriorEntry[], closedPeriods: readonly string[]): readonly string[] {
  const named = (what: string, which: readonly PriorEntry[]) =>
    which.length === 0 ? [] : [`${what}: ${which.map(({ id }) => id).join(', ')}`];
  return [
    ...(closedPeriods.length === 0 ? [] : [`closed period(s): ${closedPeriods.join(', ')}`]),
    ...named(
      'entries not posted',
      entries.filter(({ status }) => status === 'draft'),
    ),
    ...named(
      'entries already reversed',
      entries.filter(({ status, reversal_of }) => status === 'reversed' || reversal_of !== null),
    ),
    ...named(
      'entries that a schedule goes by',
      entries.filter(({ provenance }) => ownProvenances.has(provenance)),
    ),
    ...named(
      'entries that share a transaction with others',
      entries.filter(({ shares_transaction }) => shares_transaction),
    ),
  ];
}
