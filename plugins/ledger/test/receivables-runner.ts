import type { Store } from '@pacioli/core';
import { expect } from 'vitest';
import type { Books, Leg, Loose } from './books.ts';
import { expectLaws } from './laws.ts';
import { type BooksSnapshot, isPosted, isRetracted, type SeenEntry, type SeenEvent } from './read-books.ts';
import { expectControlled, expectStored } from './receivables-laws.ts';
import { type ReceivableStep, sides } from './receivables-steps.ts';

/**
 * Runs the steps of a generated sequence on the books: invoices, credit notes, payments, edits and reversals. After
 * each step it checks the general laws; open amounts are compared only when `expectOpenAmounts` is called.
 */
export class ReceivablesPlayer {
  readonly #service: { readonly store: Store };
  readonly #book: Books;
  readonly #agents: readonly string[];
  #seen: BooksSnapshot | undefined;
  #day = '2026-03-12';
  #labels = 0;

  constructor(service: { readonly store: Store }, book: Books, agents: readonly string[]) {
    this.#service = service;
    this.#book = book;
    this.#agents = agents;
  }

  async take(step: ReceivableStep): Promise<void> {
    const seen = this.#seen ?? (await expectLaws(this.#service, this.#book));
    await this.#do(step, seen);
    this.#seen = await expectLaws(this.#service, this.#book, seen);
  }

  /** Open amounts by side, currency and agent; agents by their index. */
  async open(): Promise<readonly string[]> {
    const rows = 'agentId openBalanceCents currency';
    const open = await this.#book.query(
      `{ sales: openReceivablesByAgent { ${rows} } purchase: openPayablesByAgent { ${rows} } }`,
    );
    return Object.keys(sides).flatMap((side) =>
      open[side].map(
        (row: Loose) => `${side} ${this.#agents.indexOf(row.agentId)} ${row.currency} ${row.openBalanceCents}`,
      ),
    );
  }

  /** Compares the open amounts with the control accounts, and the stored ones with those of all events. */
  async expectOpenAmounts(): Promise<void> {
    if (this.#seen !== undefined) await expectControlled(this.#book, this.#seen);
    await expectStored(this.#service.store, this.#book.graph);
  }

  #do(step: ReceivableStep, seen: BooksSnapshot): Promise<unknown> {
    if (step.does === 'invoice') return this.#invoice(step, null);
    if (step.does === 'paid at once') return this.#paidAtOnce(step);
    if (step.does === 'credit') return this.#invoice(step, this.#booked(step, seen, 1));
    if (step.does === 'payment') return this.#payment(step, this.#booked(step, seen, step.of % 3 === 0 ? -1 : 1));
    if (step.does === 'batch') return this.#batch(step, seen);
    if (step.does === 'stray') return this.#stray(step, seen);
    if (step.does === 'relink') return this.#relink(step, seen);
    if (step.does === 'edit') return this.#edit(step, seen);
    if (step.does === 'remove') return this.#remove(step, seen);
    if (step.does === 'reverse') return this.#reverse(step, seen);
    if (step.does === 'close') return this.#close();
    return this.#move(step, seen);
  }

  /** A posted invoice or bill of this side with an amount of this sign, preferably in the currency of the step. */
  #booked({ side, of, currency }: ReceivableStep, seen: BooksSnapshot, sign: 1 | -1): SeenEvent | undefined {
    const posted = new Set(seen.entries.filter(isPosted).map((entry) => entry.event_id));
    const all = seen.events.filter(
      (event) => event.event_type === sides[side].invoice && posted.has(event.id) && sign * (event.amount ?? 0) > 0,
    );
    const same = all.filter((event) => event.currency === currency);
    return pick(same.length > 0 ? same : all, of);
  }

  async #invoice(step: ReceivableStep, credited: SeenEvent | undefined | null): Promise<void> {
    const { invoice } = sides[step.side];
    const isNote = credited !== null;
    const currency = credited?.currency ?? step.currency;
    // A sales receipt whose entry debits receivables counts as an invoice does (ledger L-101).
    const isOnAccount = !isNote && step.side === 'sales' && step.of % 4 === 0;
    await this.#record(step, {
      event_type: isOnAccount ? 'sales_receipt_recorded' : invoice,
      amount: isNote ? -step.cents : step.cents,
      currency,
      // Half of the credit notes name the invoice that they reduce.
      discharges_event_id: isNote && step.of % 2 === 0 ? (credited?.id ?? null) : null,
      grows: !isNote,
    });
  }

  /** A sale that leaves nothing open. */
  async #paidAtOnce(step: ReceivableStep): Promise<void> {
    const sold = { event_type: 'sales_receipt_recorded', amount: step.cents, currency: step.currency, grows: true };
    await this.#record({ ...step, side: 'sales' }, { ...sold, control: '1000' });
  }

  async #payment(step: ReceivableStep, settled: SeenEvent | undefined): Promise<void> {
    if (settled === undefined) return;
    const isRefund = (settled.amount ?? 0) < 0;
    await this.#record(step, {
      event_type: sides[step.side].payment,
      amount: isRefund ? -step.cents : step.cents,
      currency: settled.currency,
      discharges_event_id: settled.id,
      grows: isRefund,
    });
  }

  /** A payment that references the invoices that it settles (ledger L-90). */
  async #batch(step: ReceivableStep, seen: BooksSnapshot): Promise<void> {
    const first = this.#booked(step, seen, 1);
    if (first === undefined) return;
    const names = seen.events
      .filter(({ event_type, currency, amount }) => {
        return event_type === first.event_type && currency === first.currency && (amount ?? 0) > 0;
      })
      .filter(({ id }) => seen.entries.some((entry) => entry.event_id === id && isPosted(entry)))
      .map((event) => event.external_id);
    await this.#record(
      step,
      { event_type: sides[step.side].payment, amount: step.cents, currency: first.currency, grows: false },
      { qb_linked_txns: names },
    );
  }

  /** A payment in another currency or on the other side is rejected (ledger L-100a). */
  async #stray(step: ReceivableStep, seen: BooksSnapshot): Promise<void> {
    const settled = this.#booked(step, seen, 1);
    if (settled === undefined) return;
    const isOtherSide = step.of % 2 === 0;
    const other = step.side === 'sales' ? 'purchase' : 'sales';
    const body = this.#body(step, {
      event_type: sides[isOtherSide ? other : step.side].payment,
      amount: step.cents,
      currency: isOtherSide ? settled.currency : 'CHF',
      discharges_event_id: settled.id,
      grows: false,
    });
    const preview = await this.#book.operation('preview-event-block', body);
    const answer = await this.#book.operation('create-event-block', body);
    expect([answer.status, preview.body.result.validation_errors]).toEqual([422, [answer.body.detail]]);
  }

  async #relink(step: ReceivableStep, seen: BooksSnapshot): Promise<void> {
    const payments = seen.events.filter(
      (event) => event.event_type === sides[step.side].payment && (event.amount ?? 0) > 0 && !isRetracted(event),
    );
    const payment = pick(payments, step.of);
    if (payment === undefined) return;
    const target = this.#booked({ ...step, currency: asCurrency(payment.currency) }, seen, 1);
    if (target === undefined) return;
    const body = { event_id: payment.id, discharges_event_id: target.id };
    const answer = await this.#book.operation('update-event-block', body);
    expect([answer.status, answer.body.detail]).toEqual(
      target.currency === payment.currency ? [200, undefined] : [422, expect.stringContaining('cannot settle')],
    );
  }

  /** Changes the amount of a draft and keeps its direction. */
  async #edit(step: ReceivableStep, seen: BooksSnapshot): Promise<void> {
    const draft = pick(drafts(seen), step.of);
    if (draft === undefined) return;
    const lineItems = draft.lines.map((line) => ({
      element_id: line.element_id,
      debit_amount: line.debit_amount > 0 ? step.cents : 0,
      credit_amount: line.credit_amount > 0 ? step.cents : 0,
    }));
    await this.#send('update-journal-entry', { entry_id: draft.id, line_items: lineItems });
  }

  async #remove(step: ReceivableStep, seen: BooksSnapshot): Promise<void> {
    const removable = drafts(seen).filter((draft) =>
      drafts(seen).some((other) => other !== draft && other.event_id === draft.event_id),
    );
    const draft = pick(removable, step.of);
    if (draft !== undefined) await this.#send('delete-journal-entry', { entry_id: draft.id });
  }

  async #reverse(step: ReceivableStep, seen: BooksSnapshot): Promise<void> {
    const entry = pick(
      seen.entries.filter(({ status }) => status === 'posted'),
      step.of,
    );
    if (entry === undefined) return;
    await this.#send('create-event-block', {
      event_type: 'journal_entry_reversed',
      event_category: 'adjustment',
      occurred_at: `${this.#day}T12:00:00Z`,
      source: 'manual',
      currency: entry.currency,
      apply_handlers: true,
      metadata: { entry_id: entry.id, posting_date: this.#day },
    });
  }

  /** Voids an event without posted entries, or commits it without posting them. */
  async #move(step: ReceivableStep, seen: BooksSnapshot): Promise<void> {
    const posted = new Set(seen.entries.filter(isPosted).map((entry) => entry.event_id));
    const waiting = seen.events.filter(
      (event) => ['captured', 'classified'].includes(event.status) && !posted.has(event.id),
    );
    const event = pick(waiting, step.of);
    if (event === undefined) return;
    const transitionTo = step.does === 'void' ? 'voided' : 'committed';
    // A captured event is booked on its own date, whose month may be closed by now.
    if (transitionTo === 'committed' && event.status === 'captured' && this.#day !== '2026-03-12') return;
    await this.#send('update-event-block', { event_id: event.id, transition_to: transitionTo });
  }

  /** Posts all drafts; later events are dated in the next month. */
  async #close(): Promise<void> {
    if (this.#day !== '2026-03-12') return;
    await this.#send('close-period', { period: '2026-03' });
    this.#day = '2026-04-01';
  }

  async #record(step: ReceivableStep, event: Recorded, more: object = {}): Promise<void> {
    const body = this.#body(step, event, more);
    // Recording must do what the preview predicts (ledger L-202).
    const preview = await this.#book.operation('preview-event-block', body);
    expect([preview.body.result.would_succeed, preview.body.result.validation_errors]).toEqual([true, []]);
    await this.#send('create-event-block', body);
  }

  #body(step: ReceivableStep, { grows, control: own, ...event }: Recorded, more: object = {}): object {
    const { other, sign, payment } = sides[step.side];
    const control = own ?? sides[step.side].control;
    const isDebit = grows === (sign === 1);
    const contra = event.event_type === payment ? '1000' : other;
    const share = Math.floor(step.cents / step.parts);
    // The parts of an event add up to its amount, and none of them is zero.
    const parts =
      share === 0 ? [step.cents] : [...Array(step.parts - 1).fill(share), step.cents - share * (step.parts - 1)];
    const entries = parts.map((cents) => {
      const legs: readonly Leg[] = [
        [control, isDebit ? cents : 0, isDebit ? 0 : cents],
        [contra, isDebit ? 0 : cents, isDebit ? cents : 0],
      ];
      const lineItems = legs.map(([code, debitAmount, creditAmount]) => ({
        element_id: this.#book.id(code),
        debit_amount: debitAmount,
        credit_amount: creditAmount,
      }));
      return { posting_date: this.#day, memo: 'generated', line_items: lineItems };
    });
    this.#labels += 1;
    return {
      discharges_event_id: null,
      ...event,
      event_category: 'other',
      external_id: `r-${this.#labels}`,
      occurred_at: `${this.#day}T10:00:00Z`,
      source: 'manual',
      agent_id: this.#agents[step.agent] ?? null,
      apply_handlers: step.mode !== 'captured',
      metadata: { status: step.mode === 'posted' ? 'posted' : 'draft', entries, ...more },
    };
  }

  async #send(name: string, body: object): Promise<void> {
    const answer = await this.#book.operation(name, body);
    expect([name, answer.status, answer.body.detail, body]).toEqual([name, 200, undefined, body]);
  }
}

interface Recorded {
  readonly event_type: string;
  readonly amount: number;
  readonly currency: string;
  readonly discharges_event_id?: string | null;
  /** True when the event raises the open amount, as an invoice or a refund does. */
  readonly grows: boolean;
  /** The account that it raises or lowers; that of its side by default. */
  readonly control?: string;
}

const drafts = (seen: BooksSnapshot): readonly SeenEntry[] => seen.entries.filter((entry) => entry.status === 'draft');

function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(list.length, 1)];
}

const asCurrency = (text: string): 'USD' | 'EUR' | 'GBP' => (text === 'EUR' || text === 'GBP' ? text : 'USD');
