import { isDeepStrictEqual } from 'node:util';
import { invalidInput, notFound, ServiceError, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { type EventPlanner, type EventReads, type EventWrites, isTerminal } from '../event-blocks/index.ts';
import {
  type DraftWrites,
  type EntryRow,
  type JournalDecision,
  type JournalReads,
  type Line,
  type LineRow,
  type LockedMonths,
  openReceipt,
  problemOfLines,
  receivablesDebited,
  topUpMonths,
  totals,
  writeJournal,
} from '../journal/index.ts';
import { controlNet, type Settlements } from '../open-items/index.ts';
import { countedByDisposal, lockSchedule, type StoredSchedules } from '../schedules/index.ts';
import {
  type Actor,
  maxFieldsChars,
  maxLongChars,
  problemOfPostingDate,
  problemOfSize,
  problemOfTexts,
} from '../values/index.ts';
import type { EntryChange, JournalDrafts } from './journal-drafts.ts';

export interface EditorParts {
  readonly chart: ChartOfAccounts;
  readonly planner: EventPlanner;
  readonly journal: JournalReads;
  readonly events: EventReads;
  readonly writes: EventWrites;
  readonly drafts: DraftWrites;
  readonly schedules: StoredSchedules;
  readonly settlements: Settlements;
}

/** A draft with its lines, after a change. */
export interface ChangedDraft {
  readonly entry: EntryRow;
  readonly lines: readonly LineRow[];
}

interface DraftDecision extends JournalDecision {
  readonly entry: EntryRow;
}

/** Changes and deletes drafts of the journal; posted entries are only ever reversed (ledger L-53). */
export class JournalEditor implements JournalDrafts {
  readonly #parts: EditorParts;

  constructor(parts: EditorParts) {
    this.#parts = parts;
  }

  /** Changes a draft and returns it with its lines. */
  async update(tx: Transaction, change: EntryChange, by: Actor): Promise<ChangedDraft> {
    const found = await this.#requireDraft(tx, change.entryId);
    const dateProblem = change.postingDate === undefined ? undefined : problemOfPostingDate(change.postingDate);
    if (dateProblem !== undefined) throw invalidInput(`posting_date: ${dateProblem}`);
    const long = problemOfTexts({ memo: change.memo }, maxLongChars) ?? problemOfLineTexts(change.lines ?? []);
    if (long !== undefined) throw invalidInput(long);
    const { lines } = change;
    const problem = lines === undefined ? undefined : problemOfLines(lines);
    const decide = async (entry: EntryRow): Promise<DraftDecision> => ({
      subject: `Journal entry ${entry.id}`,
      entry,
      dates: {
        added: change.postingDate === undefined ? [] : [change.postingDate],
        changed: [entry.posting_date],
      },
      locksRows: true,
      ...(lines === undefined || problem !== undefined
        ? {}
        : { debits: { amount: totals(lines).debit, currency: entry.currency, insteadOf: [entry.id] } }),
    });
    return writeJournal<DraftDecision, ChangedDraft>(tx, {
      now: by.now,
      decide: () => decide(found),
      decideAgain: async () => decide(await this.#lock(tx, found, lines !== undefined)),
      apply: async (months, { entry }) => {
        if (change.version !== undefined && change.version !== entry.version)
          throw versionChanged(entry, change.version);
        if (problem !== undefined) throw invalidInput(problem);
        return this.#change(months, entry, change, by);
      },
    });
  }

  async #change(months: LockedMonths, entry: EntryRow, change: EntryChange, by: Actor): Promise<ChangedDraft> {
    const { drafts, journal, planner } = this.#parts;
    const { tx } = months;
    if (change.lines !== undefined) {
      const postable = { entries: [{ lines: change.lines, reversalOf: entry.reversal_of }] };
      await planner.requireAccounts(tx, postable, entry.currency);
    }
    await this.#requireIndependent(tx, entry, change);
    const fields = {
      postingDate: change.postingDate ?? entry.posting_date,
      memo: change.memo === undefined ? entry.memo : change.memo,
      type: change.type ?? entry.type,
    };
    if (change.lines !== undefined) await this.#followLines(tx, entry, change.lines);
    const changed = await drafts.update(months, entry.id, fields, by);
    if (change.lines !== undefined) await drafts.replaceLines(months, changed, change.lines);
    await topUpMonths(months, [fields.postingDate]);
    if (entry.transaction_id !== null) await drafts.follow(tx, entry.transaction_id, by.now);
    return { entry: changed, lines: (await journal.linesOf(tx, [entry.id])).get(entry.id) ?? [] };
  }

  async change(tx: Transaction, change: EntryChange, by: Actor): Promise<number> {
    return (await this.update(tx, change, by)).entry.version;
  }

  async version(tx: Transaction, entryId: string): Promise<number | undefined> {
    return (await this.#parts.journal.entry(tx, entryId))?.version;
  }

  /** Deletes a draft, unless it is the last one of its event (ledger L-58). */
  async remove(tx: Transaction, entryId: string, by: Actor): Promise<void> {
    const decide = async (entry: EntryRow): Promise<DraftDecision> => ({
      subject: `Journal entry ${entry.id}`,
      entry,
      dates: { changed: await this.#parts.drafts.datesWithReversal(tx, entry.id) },
      locksRows: true,
    });
    await writeJournal<DraftDecision, void>(tx, {
      now: by.now,
      decide: async () => decide(await this.#requireDraft(tx, entryId)),
      decideAgain: async ({ entry }) => decide(await this.#lock(tx, entry, true)),
      apply: (months, { entry }) => this.#remove(months, entry, by),
    });
  }

  async #remove(months: LockedMonths, entry: EntryRow, by: Actor): Promise<void> {
    const { drafts, events, journal } = this.#parts;
    const { tx } = months;
    // Deleting it alone would leave an original that is never reversed; both are deleted together (ledger L-59, L-184).
    if (entry.reversal_of !== null) throw draftReversalError(entry, await journal.entry(tx, entry.reversal_of));
    const event = entry.event_id === null ? undefined : await events.find(tx, entry.event_id);
    const isLive = event !== undefined && !isTerminal(event.status);
    if (isLive && (await drafts.others(tx, event.id, entry.id)) === 0) {
      throw invalidInput(
        `Journal entry ${entry.id} is the last draft of event ${event.id}; retract the event instead, with update-event-block.`,
      );
    }
    await this.#followLines(tx, entry, []);
    await drafts.remove(months, [entry.id], by);
    if (entry.transaction_id !== null) await drafts.follow(tx, entry.transaction_id, by.now);
  }

  /**
   * Rejects changes that would separate an automatic reversal from its original, or a schedule's draft from its month:
   * the next sweep would draft the month again (ledger L-183, L-184, L-204).
   */
  async #requireIndependent(tx: Transaction, entry: EntryRow, change: EntryChange): Promise<void> {
    if (change.lines === undefined && change.postingDate === undefined) return;
    if (entry.reversal_of !== null)
      throw draftReversalError(entry, await this.#parts.journal.entry(tx, entry.reversal_of));
    const reversal = await this.#parts.journal.reversalOf(tx, entry.id);
    if (reversal !== undefined)
      throw invalidInput(
        `Journal entry ${entry.id} has an automatic reversal, ${reversal}, that would not change with it. ${scheduleRemedy}`,
      );
    const month = entry.posting_date.slice(0, 7);
    if (
      entry.source_structure_id !== null &&
      change.postingDate !== undefined &&
      change.postingDate.slice(0, 7) !== month
    )
      throw invalidInput(
        `Journal entry ${entry.id} belongs to ${month} of schedule ${entry.source_structure_id}. ${scheduleRemedy}`,
      );
  }

  /** Updates the event when new lines of its draft change receivables or payables (ledger L-100b). */
  async #followLines(tx: Transaction, entry: EntryRow, lines: readonly Line[]): Promise<void> {
    const { chart, events, journal, settlements } = this.#parts;
    if (entry.event_id === null) return;
    const former = ((await journal.linesOf(tx, [entry.id])).get(entry.id) ?? []).map((line) => ({
      elementId: line.element_id,
      debit: BigInt(line.debit_amount),
      credit: BigInt(line.credit_amount),
    }));
    const accounts = await chart.find(tx, [...new Set([...former, ...lines].map(({ elementId }) => elementId))]);
    const [before, after] = [controlNet(former, accounts), controlNet(lines, accounts)];
    const receivables = receivablesDebited(accounts, lines);
    const isMoved = !isDeepStrictEqual(before, after);
    const event = isMoved || receivables.length > 0 ? await events.find(tx, entry.event_id) : undefined;
    if (event === undefined) return;
    await openReceipt(tx, event, receivables);
    if (!isMoved) return;
    await settlements.followDraft(tx, event, { before, after, entryId: entry.id });
    await settlements.announce(tx, event.id);
  }

  /** Rejects a change of a draft that a disposal has counted (ledger L-188). The schedule stays locked. */
  async #requireUncounted(tx: Transaction, { id, source_structure_id: scheduleId }: EntryRow): Promise<void> {
    if (scheduleId === null) return;
    const schedule = await lockSchedule(this.#parts.schedules, tx, scheduleId);
    if (schedule?.disposed_on != null) throw countedByDisposal(schedule, `Journal entry ${id} cannot be changed`);
  }

  async #requireDraft(tx: Transaction, id: string): Promise<EntryRow> {
    return asDraft(await this.#parts.journal.entry(tx, id), id);
  }

  /** The draft, locked after its schedule and its event (ledger L-150). */
  async #lock(tx: Transaction, found: EntryRow, changesAmounts: boolean): Promise<EntryRow> {
    if (changesAmounts) await this.#requireUncounted(tx, found);
    if (found.event_id !== null) await this.#parts.writes.lock(tx, [found.event_id], { links: false });
    return asDraft(await this.#parts.journal.entryForUpdate(tx, found.id), found.id);
  }
}

/** Rejects an entry that is missing or no longer a draft (ledger L-54). */
function asDraft(entry: EntryRow | undefined, id: string): EntryRow {
  if (entry === undefined) throw notFound(`Journal entry not found: ${id}`);
  if (entry.status === 'draft') return entry;
  throw invalidInput(
    `Journal entry ${id} is '${entry.status}'; only draft entries can be updated or deleted. Record an event journal_entry_reversed to reverse it.`,
  );
}

function problemOfLineTexts(lines: readonly Line[]): string | undefined {
  const texts = lines.map(({ description }, index) => [`line_items.${index}.description`, description]);
  const sizes = lines.map(({ metadata }, index) => [`line_items.${index}.metadata`, metadata]);
  return (
    problemOfTexts(Object.fromEntries(texts), maxLongChars) ?? problemOfSize(Object.fromEntries(sizes), maxFieldsChars)
  );
}

/** The remedy when the draft of a schedule cannot be changed on its own. */
const scheduleRemedy =
  'Change the schedule with update-information-block, or void its obligation with update-event-block and record its entry manually.';

/** The error for an automatic reversal, which is deleted with its original or posts with its month (ledger L-184). */
function draftReversalError({ id, reversal_of: originalId }: EntryRow, original: EntryRow | undefined): ServiceError {
  const next =
    original?.status === 'draft'
      ? scheduleRemedy
      : 'It posts when its month is closed; reverse it then, with an event journal_entry_reversed, if the original should remain in effect.';
  return invalidInput(
    `Journal entry ${id} is the automatic reversal of ${originalId} and cannot be changed alone. ${next}`,
  );
}

/** The error when another caller changed the draft after it was read (ledger L-216). */
function versionChanged({ id, version }: EntryRow, read: number): ServiceError {
  return new ServiceError(
    'conflict',
    'VERSION_CHANGED',
    `Journal entry ${id} is at version ${version}, not ${read}. Read it again, then retry.`,
    { details: { version } },
  );
}
