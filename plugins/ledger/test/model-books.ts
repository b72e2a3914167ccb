import type { Leg } from './books.ts';
import { isLegalStep } from './laws-of-change.ts';
import type { EntryStep, RecordStep, Step } from './model-steps.ts';

export interface ModelEntry {
  id: string;
  readonly event: ModelEvent;
  day: string;
  legs: readonly Leg[];
  status: 'draft' | 'posted' | 'reversed';
  readonly reversalOf: ModelEntry | null;
}

export interface ModelEvent {
  id: string;
  readonly type: string;
  status: string;
  /** The entries that a commit writes. */
  readonly record: RecordStep | undefined;
  readonly body: object;
  readonly currency: string;
  readonly externalId: string | null;
  readonly key: string | null;
  replaces: ModelEvent | null;
}

const terminal = new Set(['voided', 'superseded']);

/** A model of the books by the specification: it predicts the effect of each step or its rejection. */
export class ModelBooks {
  readonly events: ModelEvent[] = [];
  entries: ModelEntry[] = [];
  closedThrough = '';

  isClosed(day: string): boolean {
    return day.slice(0, 7) <= this.closedThrough;
  }

  #of(event: ModelEvent): ModelEntry[] {
    return this.entries.filter((entry) => entry.event === event);
  }

  #write(event: ModelEvent, entries: readonly EntryStep[], status: 'draft' | 'posted'): void {
    for (const { day, legs } of entries) this.entries.push({ id: '', event, day, legs, status, reversalOf: null });
  }

  /** History may be captured in closed months; entries may not be dated there (ledger L-85, L-89, L-151). */
  canRecord(record: RecordStep): boolean {
    return record.mode === 'captured' || record.entries.every(({ day }) => !this.isClosed(day));
  }

  record(
    record: RecordStep,
    event: Omit<ModelEvent, 'status' | 'record' | 'replaces' | 'type' | 'currency'>,
  ): ModelEvent {
    const status = { captured: 'captured', draft: 'classified', posted: 'fulfilled' }[record.mode];
    const made: ModelEvent = { ...event, type: record.kind, status, currency: record.currency, record, replaces: null };
    this.events.push(made);
    if (record.mode !== 'captured') this.#write(made, record.entries, record.mode);
    return made;
  }

  /** Only the month of the reversal has to be open; its original may be in a closed month (ledger L-60 to L-62). */
  canReverse(entry: ModelEntry, day: string): boolean {
    return entry.status === 'posted' && !this.isClosed(day) && !this.entries.some((each) => each.reversalOf === entry);
  }

  reverse(entry: ModelEntry, day: string, event: { readonly id: string; readonly body: object }): void {
    const made: ModelEvent = {
      ...event,
      type: 'journal_entry_reversed',
      status: 'fulfilled',
      currency: entry.event.currency,
      record: undefined,
      externalId: null,
      key: null,
      replaces: null,
    };
    this.events.push(made);
    const legs = entry.legs.map(([code, debit, credit]): Leg => [code, credit, debit]);
    this.entries.push({ id: '', event: made, day, legs, status: 'posted', reversalOf: entry });
    entry.status = 'reversed';
  }

  /** An event may end only while it has no posted entries (ledger 5.3, L-72 to L-74, L-78). */
  canMove(event: ModelEvent, to: string, successor: ModelEvent): boolean {
    if (!isLegalStep(event.status, to)) return false;
    const entries = this.#of(event);
    if (terminal.has(to) && entries.some((entry) => entry.status !== 'draft' || this.isClosed(entry.day))) return false;
    if (to === 'superseded') {
      return successor !== event && !terminal.has(successor.status) && successor.replaces === null;
    }
    const isWritten = to === 'committed' && entries.length === 0;
    return !isWritten || (event.record?.entries ?? []).every(({ day }) => !this.isClosed(day));
  }

  move(event: ModelEvent, to: string, successor: ModelEvent): void {
    if (to === 'committed' && this.#of(event).length === 0 && event.record !== undefined)
      this.#write(event, event.record.entries, 'draft');
    if (terminal.has(to)) this.entries = this.entries.filter((entry) => entry.event !== event);
    if (to === 'superseded') successor.replaces = event;
    event.status = to;
  }

  /** Both the old and the new day have to be open (ledger L-54). */
  canEdit(entry: ModelEntry, day: string | null): boolean {
    return entry.status === 'draft' && !this.isClosed(entry.day) && !(day !== null && this.isClosed(day));
  }

  /** The last draft of a live event stays, because the event is expected to post (ledger L-58). */
  canRemove(entry: ModelEntry): boolean {
    const others = this.#of(entry.event).filter((each) => each !== entry && each.status === 'draft');
    return entry.status === 'draft' && !this.isClosed(entry.day) && others.length > 0;
  }

  remove(entry: ModelEntry): void {
    this.entries = this.entries.filter((each) => each !== entry);
  }

  /** Posts the drafts of the month; events without further drafts become committed (ledger L-158, L-166). */
  close(month: string): void {
    const drafts = this.entries.filter((entry) => entry.status === 'draft' && entry.day.startsWith(month));
    for (const entry of drafts) entry.status = 'posted';
    for (const { event } of drafts)
      if (event.status === 'classified' && this.#of(event).every((entry) => entry.status !== 'draft'))
        event.status = 'committed';
    this.closedThrough = month;
  }
}

/**
 * Replaces the number of a step with the index that it selects, so that the step means the same in a shorter sequence.
 */
export function pinned(step: Step, model: ModelBooks): Step {
  const place = (number: number, list: readonly unknown[]) => (list.length === 0 ? 0 : number % list.length);
  if (step.do === 'retry') return { ...step, event: place(step.event, model.events) };
  if (step.do === 'move')
    return { ...step, event: place(step.event, model.events), successor: place(step.successor, model.events) };
  if (step.do === 'edit' || step.do === 'remove' || step.do === 'reverse')
    return { ...step, entry: place(step.entry, model.entries) };
  return step;
}
