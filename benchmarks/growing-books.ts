import type { TestClient } from '@pacioli/testing';
import type { Books } from './books.ts';

/** Open items, which stay the same however old the books are. */
const openInvoices = 200;
const openBills = 100;
const agents = 200;
const callers = 16;

/** Of each ten events six are sales in cash, two an invoice and its payment, and two a bill and its payment. */
const eventsPerMonth = 800;

/** A line of an entry: account, debit and credit in minor units. */
type Line = readonly [account: string, debit: number, credit: number];

/** The accounts of the events, by their use. */
interface Accounts {
  readonly cash: string;
  readonly receivables: string;
  readonly payables: string;
  readonly sales: string;
  readonly tax: string;
  readonly expenses: string;
}

/** Books that grow month by month through the public interface. Each month but the current one is closed. */
export class GrowingBooks {
  readonly graph: string;
  readonly accounts: Accounts;
  readonly #user: TestClient;
  #agents: readonly string[] = [];
  #month = 0;
  #events = 0;

  constructor(user: TestClient, { graph }: Pick<Books, 'graph'>, accounts: Accounts) {
    this.#user = user;
    this.graph = graph;
    this.accounts = accounts;
  }

  /** The events recorded so far. */
  get events(): number {
    return this.#events;
  }

  /** The current month, as YYYY-MM. */
  get month(): string {
    return new Date(Date.UTC(2010, this.#month)).toISOString().slice(0, 7);
  }

  /** Adds the counterparties and what stays open. */
  async begin(): Promise<void> {
    const made: string[] = [];
    for (let agent = 0; agent < agents; agent += 1)
      made.push((await this.run('create-agent', { agent_type: 'other', name: `Agent ${agent}` })).id);
    this.#agents = made;
    const { receivables, payables, sales, expenses } = this.accounts;
    await this.#inParallel([
      ...Array.from(
        { length: openInvoices },
        (_, index) => () =>
          this.record('invoice_issued', move(receivables, sales, 10_000 + index), {
            amount: 10_000 + index,
            ...this.#with(index),
          }),
      ),
      ...Array.from(
        { length: openBills },
        (_, index) => () =>
          this.record('bill_received', move(expenses, payables, 5_000 + index), {
            amount: 5_000 + index,
            ...this.#with(index),
          }),
      ),
    ]);
  }

  /** Fills and closes months until the books have at least this number of events. */
  async growTo(events: number): Promise<void> {
    // Including those that measurements have added.
    const { body } = await this.#user.graphql(this.graph, '{ summary { transactionCount } }');
    this.#events = body.data.summary.transactionCount;
    while (this.#events < events) {
      await this.#fillMonth();
      await this.close();
    }
  }

  /** Closes the current month and returns the time it took in milliseconds. */
  async close(): Promise<number> {
    const started = performance.now();
    await this.run('close-period', { period: this.month });
    const time = performance.now() - started;
    this.#month += 1;
    return time;
  }

  /** Records drafts in the current month. */
  async draft(count: number): Promise<void> {
    const { cash, sales } = this.accounts;
    await this.#inParallel(
      Array.from(
        { length: count },
        () => () => this.record('journal_entry_recorded', move(cash, sales, 100), {}, 'draft'),
      ),
    );
  }

  async record(type: string, lines: readonly Line[], more: object = {}, status = 'posted'): Promise<string> {
    const { id } = await this.run('create-event-block', this.event(type, lines, more, status));
    this.#events += 1;
    return id;
  }

  /** The request that records an event in the current month. */
  event(type: string, lines: readonly Line[], more: object = {}, status = 'posted'): object {
    const day = `${this.month}-15`;
    return {
      event_type: type,
      event_category: 'other',
      occurred_at: `${day}T12:00:00Z`,
      source: 'manual',
      apply_handlers: true,
      ...more,
      metadata: {
        posting_date: day,
        memo: 'An event of growing books',
        status,
        line_items: lines.map(([account, debit, credit]) => ({
          element_id: account,
          debit_amount: debit,
          credit_amount: credit,
        })),
      },
    };
  }

  /** Runs an operation, which must succeed, and returns its result. */
  async run(name: string, body: object): Promise<{ readonly id: string }> {
    const answer = await this.#user.post(`/extensions/ledger/${this.graph}/operations/${name}`, body);
    if (answer.status !== 200) throw new Error(`${name} failed: ${JSON.stringify(answer.body).slice(0, 300)}`);
    return answer.body.result;
  }

  async #fillMonth(): Promise<void> {
    const { cash, receivables, payables, sales, tax, expenses } = this.accounts;
    const sold: readonly Line[] = [
      [cash, 10_700, 0],
      [sales, 0, 10_000],
      [tax, 0, 700],
    ];
    const tens = Array.from({ length: eventsPerMonth / 10 }, (_, index) => index);
    await this.#inParallel(
      tens.flatMap((index) => [
        ...Array.from({ length: 6 }, () => () => this.record('journal_entry_recorded', sold)),
        () =>
          this.#settled(
            'invoice_issued',
            move(receivables, sales, 900),
            'payment_received',
            move(cash, receivables, 900),
            index,
          ),
        () =>
          this.#settled('bill_received', move(expenses, payables, 700), 'bill_paid', move(payables, cash, 700), index),
      ]),
    );
  }

  async #settled(
    type: string,
    lines: readonly Line[],
    paidBy: string,
    payment: readonly Line[],
    index: number,
  ): Promise<void> {
    const event = { amount: lines[0]?.[1], ...this.#with(index) };
    const id = await this.record(type, lines, event);
    await this.record(paidBy, payment, { ...event, discharges_event_id: id });
  }

  #with(index: number): object {
    return { agent_id: this.#agents[index % agents] };
  }

  async #inParallel(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
    const queue = tasks.values();
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (const task of queue) await task();
      }),
    );
  }
}

/** The lines that move an amount to one account from another. */
export function move(to: string, from: string, cents: number): readonly Line[] {
  return [
    [to, cents, 0],
    [from, 0, cents],
  ];
}
