import type { Store } from '@pacioli/core';
import { plusMonths } from '@pacioli/core/calendar';
import type { Answer } from '@pacioli/testing';
import { expect } from 'vitest';
import { type Books, entry as journalEntry, type Leg, type Loose } from './books.ts';
import { expectLaws } from './laws.ts';
import { expectCloseBooksItsDrafts, expectPointerMovesByOneMonth } from './laws-of-change.ts';
import { ModelBooks, type ModelEntry, type ModelEvent, pinned } from './model-books.ts';
import { bodyOf, entryKey, lineItems, today } from './model-requests.ts';
import type { RecordStep, Step } from './model-steps.ts';
import { type BooksSnapshot, readBooks, type SeenEntry } from './read-books.ts';

interface Sending {
  readonly key?: string;
  readonly refusal?: number;
}

/** Runs steps on real books and on their model, and compares both after each. */
export class Player {
  readonly model = new ModelBooks();
  /** The accepted steps with the indexes that they selected. */
  readonly taken: Step[] = [];
  seen: BooksSnapshot | undefined;
  readonly #service: { readonly store: Store };
  readonly #book: Books;
  readonly #codes: ReadonlyMap<string, string>;
  #labels = 0;

  constructor(service: { readonly store: Store }, book: Books, codes: readonly string[]) {
    this.#service = service;
    this.#book = book;
    this.#codes = new Map(codes.map((code) => [book.id(code), code]));
  }

  async take(given: Step): Promise<void> {
    const { model } = this;
    if (this.seen === undefined) await this.compare();
    const step = pinned(given, model);
    const event = 'event' in step ? model.events[step.event] : undefined;
    const entry = 'entry' in step ? model.entries[step.entry] : undefined;
    let isTaken = false;
    if (step.do === 'record') isTaken = await this.#record(step);
    else if (step.do === 'preview') await this.#preview(step.record);
    else if (step.do === 'spoil') await this.#spoil(step.record);
    else if (step.do === 'retry' && event !== undefined) await this.#retry(event);
    else if (step.do === 'move' && event !== undefined) isTaken = await this.#move(event, step);
    else if (step.do === 'edit' && entry !== undefined) isTaken = await this.#edit(entry, step);
    else if (step.do === 'remove' && entry !== undefined) isTaken = await this.#remove(entry);
    else if (step.do === 'reverse' && entry !== undefined) isTaken = await this.#reverse(entry, step.day);
    else if (step.do === 'close') isTaken = await this.#close(step.later);
    else if (step.do === 'reopen') isTaken = await this.#reopen(step.earlier);
    else if (step.do === 'reclose') isTaken = await this.#reclose();
    if (isTaken) this.taken.push(step);
    await this.compare();
  }

  /** Checks all laws, and that the books match the model. */
  async compare(): Promise<void> {
    const seen = await expectLaws(this.#service, this.#book, this.seen);
    this.seen = seen;
    this.#adopt(seen);
    const { model } = this;
    const events = seen.events.map(({ id, status }) => [id, status]);
    expect(new Map(events as [string, string][])).toEqual(new Map(model.events.map(({ id, status }) => [id, status])));
    const entries = seen.entries.map((each): [string, string] => [each.id, `${each.status} ${this.#keyOf(each)}`]);
    expect(new Map(entries)).toEqual(
      new Map(model.entries.map((each) => [each.id, `${each.status} ${entryKey(each)}`])),
    );
    for (const entry of model.entries.filter((each) => each.reversalOf !== null))
      expect(seen.entries.find((each) => each.id === entry.id)?.reversal_of).toBe(entry.reversalOf?.id);
  }

  #keyOf(entry: SeenEntry): string {
    const legs = entry.lines.map(
      (line): Leg => [this.#codes.get(line.element_id) ?? line.element_id, line.debit_amount, line.credit_amount],
    );
    return entryKey({ day: entry.posting_date, legs });
  }

  /** Assigns the new entries of the model their ids, matched by content. */
  #adopt(seen: BooksSnapshot): void {
    const known = new Set(this.model.entries.map((entry) => entry.id));
    const fresh = seen.entries.filter((entry) => !known.has(entry.id));
    for (const entry of this.model.entries.filter((each) => each.id === '')) {
      const place = fresh.findIndex(
        (each) => each.event_id === entry.event.id && this.#keyOf(each) === entryKey(entry),
      );
      entry.id = fresh.splice(place, place < 0 ? 0 : 1)[0]?.id ?? `no entry ${entryKey(entry)}`;
    }
  }

  async #send(name: string, body: object, isAllowed: boolean, { key, refusal = 422 }: Sending = {}): Promise<Answer> {
    const before = isAllowed ? undefined : this.seen;
    const answer = await this.#book.operation(name, body, key === undefined ? {} : { 'idempotency-key': key });
    expect([name, answer.status, answer.body.detail, body]).toEqual(
      isAllowed ? [name, 200, undefined, body] : [name, refusal, expect.any(String), body],
    );
    if (before !== undefined) expect(await readBooks(this.#service.store, this.#book.graph)).toEqual(before);
    return answer;
  }

  #label(): string {
    this.#labels += 1;
    return `s-${this.#labels}`;
  }

  async #record(record: RecordStep): Promise<boolean> {
    const externalId = record.hasExternalId ? this.#label() : null;
    const key = record.hasKey ? this.#label() : null;
    const body = bodyOf(this.#book, record, externalId);
    const isAllowed = this.model.canRecord(record);
    const answer = await this.#send('create-event-block', body, isAllowed, key === null ? {} : { key });
    if (isAllowed) this.model.record(record, { id: answer.body.result.id, body, externalId, key });
    return isAllowed;
  }

  /** A preview changes nothing and predicts the outcome of recording (ledger L-202). */
  async #preview(record: RecordStep): Promise<void> {
    const body = bodyOf(this.#book, record, null);
    const answer = await this.#book.operation('preview-event-block', body);
    expect(await readBooks(this.#service.store, this.#book.graph)).toEqual(this.seen);
    expect(answer.body.result.would_succeed).toBe(this.model.canRecord(record));
    const isTaken = await this.#record({ ...record, hasExternalId: false, hasKey: false });
    if (isTaken) this.taken.push({ ...record, hasExternalId: false, hasKey: false });
    else expect(answer.body.result.validation_errors).toHaveLength(1);
    if (!isTaken || record.mode === 'captured') return;
    const { handler_metadata, planned_transactions } = answer.body.result;
    const sum = record.entries.flatMap(({ legs }) => legs).reduce((total, [, debit]) => total + debit, 0);
    expect(handler_metadata).toMatchObject({
      target_status: this.model.events.at(-1)?.status,
      total_debit_cents: sum,
      total_credit_cents: sum,
      entry_count: record.entries.length,
    });
    expect(planned_transactions.map((row: Loose) => row.amount_cents)).toEqual(
      record.entries.map(({ legs }) => legs.reduce((total, [, debit]) => total + debit, 0)),
    );
  }

  /** An unbalanced event is rejected, with the same message by the preview (ledger L-46, L-97). */
  async #spoil(record: RecordStep): Promise<void> {
    const [first = { day: '2026-03-01', legs: [] }, ...others] = record.entries;
    const legs: readonly Leg[] = [...first.legs, ['1000', 1, 0]];
    const body = bodyOf(this.#book, { ...record, mode: 'draft', entries: [{ ...first, legs }, ...others] }, null);
    const preview = await this.#book.operation('preview-event-block', body);
    const answer = await this.#send('create-event-block', body, false);
    expect(preview.body.result).toMatchObject({ would_succeed: false, validation_errors: [answer.body.detail] });
  }

  /** A repeated request adds nothing (ledger L-83, L-201). */
  async #retry(event: ModelEvent): Promise<void> {
    const { externalId, key, body } = event;
    if (key !== null) {
      const answer = await this.#book.operation('create-event-block', body, { 'idempotency-key': key });
      expect([answer.status, answer.body.idempotentReplay, answer.body.result.id]).toEqual([200, true, event.id]);
    }
    if (externalId !== null) {
      const answer = await this.#book.operation('create-event-block', body);
      expect([answer.status, answer.headers.get('x-existing-event-id')]).toEqual([409, event.id]);
    }
    expect(await readBooks(this.#service.store, this.#book.graph)).toEqual(this.seen);
  }

  async #move(event: ModelEvent, step: Step & { readonly do: 'move' }): Promise<boolean> {
    const successor = this.model.events[step.successor] ?? event;
    const isAllowed = this.model.canMove(event, step.to, successor);
    const more = step.to === 'superseded' ? { superseded_by_id: successor.id } : {};
    await this.#send('update-event-block', { event_id: event.id, transition_to: step.to, ...more }, isAllowed);
    if (isAllowed) this.model.move(event, step.to, successor);
    return isAllowed;
  }

  async #edit(entry: ModelEntry, { day, legs }: Step & { readonly do: 'edit' }): Promise<boolean> {
    const isAllowed = this.model.canEdit(entry, day);
    const lines = legs === null ? null : lineItems(this.#book, legs);
    await this.#send('update-journal-entry', { entry_id: entry.id, posting_date: day, line_items: lines }, isAllowed);
    if (isAllowed) {
      entry.day = day ?? entry.day;
      entry.legs = legs ?? entry.legs;
    }
    return isAllowed;
  }

  /** The only month that may be closed next: the earliest one that is not closed (ledger 7.3). */
  #next(): string {
    if (this.model.closedThrough !== '') return plusMonths(this.model.closedThrough, 1);
    return this.seen?.months.find((month) => month.status !== 'closed')?.name ?? '';
  }

  async #close(later: number): Promise<boolean> {
    const before = this.seen ?? (await readBooks(this.#service.store, this.#book.graph));
    const month = plusMonths(this.#next(), later);
    const isAllowed = later === 0 && month < today.slice(0, 7);
    // The calendar ends with the current month; later months are unknown (ledger L-17, L-155).
    const refusal = month > today.slice(0, 7) ? 404 : 422;
    await this.#send('close-period', { period: month }, isAllowed, { refusal });
    if (!isAllowed) return false;
    this.model.close(month);
    const after = await readBooks(this.#service.store, this.#book.graph);
    expectCloseBooksItsDrafts(before, after, month);
    expectPointerMovesByOneMonth(before, after);
    expect(after.calendar?.closed_through).toBe(month);
    return true;
  }

  async #reopen(earlier: number): Promise<boolean> {
    const newest = this.model.closedThrough;
    if (newest === '') return false;
    const before = this.seen ?? (await readBooks(this.#service.store, this.#book.graph));
    const isAllowed = earlier === 0;
    const period = plusMonths(newest, -earlier);
    if (!before.months.some((month) => month.name === period)) return false;
    await this.#send('reopen-period', { period, reason: 'generated' }, isAllowed);
    if (!isAllowed) return false;
    const previous = plusMonths(newest, -1);
    // Without a row for the previous month, closed_through becomes null (ledger L-169).
    this.model.closedThrough = before.months.some((month) => month.name === previous) ? previous : '';
    const after = await readBooks(this.#service.store, this.#book.graph);
    expectPointerMovesByOneMonth(before, after);
    expect([after.entries, after.events]).toEqual([before.entries, before.events]);
    expect(after.calendar?.closed_through ?? '').toBe(this.model.closedThrough);
    return true;
  }

  /** Reopening and closing without a write in between restores the books (ledger L-200). */
  async #reclose(): Promise<boolean> {
    const before = this.seen;
    const month = this.model.closedThrough;
    if (before === undefined || month === '') return false;
    await this.#reopen(0);
    await this.#send('close-period', { period: month }, true);
    this.model.close(month);
    const after = await readBooks(this.#service.store, this.#book.graph);
    const pointers = ({ calendar }: BooksSnapshot) => [calendar?.closed_through, calendar?.close_target];
    expect([after.entries, after.events, pointers(after)]).toEqual([before.entries, before.events, pointers(before)]);
    const names = (seen: BooksSnapshot) => seen.months.map(({ name, status }) => [name, status]);
    expect(names(after)).toEqual(names(before));
    return true;
  }

  async #remove(entry: ModelEntry): Promise<boolean> {
    const isAllowed = this.model.canRemove(entry);
    await this.#send('delete-journal-entry', { entry_id: entry.id }, isAllowed);
    if (isAllowed) this.model.remove(entry);
    return isAllowed;
  }

  async #reverse(entry: ModelEntry, day: string): Promise<boolean> {
    const body = {
      ...journalEntry(this.#book, day, [], { event_type: 'journal_entry_reversed', currency: entry.event.currency }),
      metadata: { entry_id: entry.id, posting_date: day },
    };
    const isAllowed = this.model.canReverse(entry, day);
    const answer = await this.#send('create-event-block', body, isAllowed);
    if (isAllowed) this.model.reverse(entry, day, { id: answer.body.result.id, body });
    return isAllowed;
  }

  /** Summarizes the books without ids: events in order, and entries by content (ledger L-203). */
  summary(): object {
    const places = new Map(this.model.events.map(({ id }, index) => [id, index]));
    const entries = (this.seen?.entries ?? []).map(
      (entry) => `${places.get(entry.event_id ?? '')} ${entry.type} ${entry.status} ${this.#keyOf(entry)}`,
    );
    const statuses = new Map(this.seen?.events.map(({ id, status }) => [id, status]));
    return { events: this.model.events.map(({ id, type }) => `${type} ${statuses.get(id)}`), entries: entries.sort() };
  }
}
