import type { ServiceError, Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { bookingRefusal } from './booking-refusal.ts';
import type { EntryRequest } from './journal-metadata.ts';
import type { HandledEvent } from './journal-plan.ts';

/** Entries whose lines name accounts by id, as far as the ids of the provider are known. */
export interface ResolvedEntries {
  readonly entries: readonly EntryRequest[];
  /** Ids of the provider that no account has, with the number of their entry. */
  readonly unmapped: readonly { readonly externalId: string; readonly entry: number }[];
}

/**
 * Looks up the accounts that lines name by the ids of a provider; one statement, none when there are no such lines
 * (ledger L-88).
 */
export async function resolveAccounts(
  tx: Transaction,
  chart: ChartOfAccounts,
  event: Pick<HandledEvent, 'source' | 'metadata'>,
  entries: readonly EntryRequest[],
): Promise<ResolvedEntries> {
  const ids = [...new Set(entries.flatMap(({ lines }) => lines.flatMap((line) => line.externalId ?? [])))];
  if (ids.length === 0) return { entries, unmapped: [] };
  const accounts = await chart.findByExternalId(tx, {
    source: event.source,
    connectionId: connectionOf(event.metadata),
    ids,
  });
  const unmapped = entries.flatMap(({ lines }, entry) =>
    lines.flatMap(({ externalId }) => (externalId === null || accounts.has(externalId) ? [] : [{ externalId, entry }])),
  );
  const resolved = entries.map((entry) => ({
    ...entry,
    lines: entry.lines.map((line) => ({
      ...line,
      elementId: line.externalId === null ? line.elementId : (accounts.get(line.externalId)?.id ?? ''),
    })),
  }));
  return { entries: resolved, unmapped };
}

/** Reports all unresolved ids in one refusal (ledger L-88). */
export function unresolved(
  event: Pick<HandledEvent, 'source' | 'metadata'>,
  unmapped: ResolvedEntries['unmapped'],
): ServiceError {
  const list = unmapped.map(({ externalId, entry }) => `'${externalId}' (entry ${entry})`).join(', ');
  return bookingRefusal(
    'element_unmapped',
    `${unmapped.length} element_external_id(s) could not be resolved against source='${event.source}', connection_id='${connectionOf(event.metadata) ?? ''}': ${list}. Map them first, or send element_id.`,
  );
}

function connectionOf(metadata: Readonly<Record<string, unknown>>): string | null {
  const id = metadata['connection_id'];
  return typeof id === 'string' ? id : null;
}
