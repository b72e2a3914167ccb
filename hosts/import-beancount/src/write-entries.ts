import { type ApiAnswer, detailOf, isSuccess, type LedgerApi, requireSuccess } from './ledger-api.ts';
import { writeLimits } from './limits.ts';
import type { PlannedEntry, PlannedLeg } from './plan.ts';

// The exact message for an event that already exists (ledger L-83).
const alreadyIngested = 'Event already ingested for this source and external_id';

/** The outcome of one entry. */
export type EntryOutcome = { readonly kind: 'written' | 'already_present' } | RefusedEntry;

interface RefusedEntry {
  readonly kind: 'refused';
  readonly entry: PlannedEntry;
  readonly message: string;
}

export interface WriteProgress {
  readonly done: number;
  readonly total: number;
}

interface EntryWriter {
  readonly api: LedgerApi;
  readonly graphId: string;
  readonly runId: string;
  readonly currency: string;
  readonly elementIds: ReadonlyMap<string, string>;
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined;
}

/** Writes the entries as posted events, batch by batch, and returns the outcome of each in order. */
export async function writeEntries(writer: EntryWriter, entries: readonly PlannedEntry[]): Promise<EntryOutcome[]> {
  const outcomes: EntryOutcome[] = [];
  const size = writeLimits.maxTransactionsPerBatch;
  for (let start = 0; start < entries.length; start += size) {
    const batch = await writeBatch(writer, entries.slice(start, start + size));
    outcomes.push(...batch);
    writer.onProgress?.({ done: outcomes.length, total: entries.length });
  }
  return outcomes;
}

async function writeBatch(writer: EntryWriter, batch: readonly PlannedEntry[]): Promise<EntryOutcome[]> {
  const outcomes: EntryOutcome[] = [];
  const waiting = batch.entries();
  let isStopped = false;
  const work = async (): Promise<void> => {
    // The workers share one iterator, so that each entry is sent once; the first failure stops them all.
    for (const [index, entry] of waiting) {
      if (isStopped) return;
      try {
        outcomes[index] = await writeEntry(writer, entry);
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: writeLimits.maxRequestsInFlight }, work));
  return outcomes;
}

async function writeEntry(writer: EntryWriter, entry: PlannedEntry): Promise<EntryOutcome> {
  const path = `/extensions/roboledger/${encodeURIComponent(writer.graphId)}/operations/create-event-block`;
  // The key is unique to a run, because a later run must learn from the ledger that the event already exists.
  const key = `import-${writer.runId}-${entry.external_id}`;
  const answer = await writer.api.post(path, eventOf(writer, entry), key);
  return outcomeOf(answer, entry);
}

function outcomeOf(answer: ApiAnswer, entry: PlannedEntry): EntryOutcome {
  if (isSuccess(answer)) return { kind: 'written' };
  const detail = detailOf(answer);
  if (answer.status === 409 && detail.startsWith(alreadyIngested)) return { kind: 'already_present' };
  // 409 and 422 concern this entry only (a closed period, a retired account); any other error ends the import.
  if (answer.status === 409 || answer.status === 422) return { kind: 'refused', entry, message: detail };
  requireSuccess(answer, `Writing the transaction of ${entry.date} (line ${entry.line})`);
  return { kind: 'refused', entry, message: detail };
}

/** The request body of one entry (ledger L-87, flat shape; L-89: past events are posted at once). */
export function eventOf(writer: Pick<EntryWriter, 'currency' | 'elementIds'>, entry: PlannedEntry): unknown {
  const { date, flag, payee, narration, tags, links, metadata } = entry;
  const memo = [payee, narration].filter((part) => part !== null && part !== '').join(' | ') || 'Journal entry';
  return {
    event_type: 'journal_entry_recorded',
    event_category: 'other',
    event_class: 'economic',
    occurred_at: `${date}T00:00:00Z`,
    source: 'manual',
    external_id: entry.external_id,
    currency: writer.currency,
    description: memo,
    apply_handlers: true,
    metadata: {
      posting_date: date,
      memo,
      status: 'posted',
      line_items: entry.legs.map((leg) => lineItem(leg, writer.elementIds)),
      journal: { flag, payee, narration, tags, links, metadata },
    },
  };
}

function lineItem(leg: PlannedLeg, elementIds: EntryWriter['elementIds']): Record<string, unknown> {
  const elementId = elementIds.get(leg.account);
  if (elementId === undefined) throw new RangeError(`account ${leg.account} has no element`);
  const amount = Number(leg.amountMinor < 0n ? -leg.amountMinor : leg.amountMinor);
  const isDebit = leg.amountMinor > 0n;
  return {
    element_id: elementId,
    debit_amount: isDebit ? amount : 0,
    credit_amount: isDebit ? 0 : amount,
    description: leg.is_rounding ? 'Rounding' : null,
  };
}
