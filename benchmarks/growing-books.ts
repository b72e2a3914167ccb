import type { TestClient } from '@pacioli/testing';
import type { Callers } from './callers.ts';

/** Open items, which stay the same however old the books are. */
const openInvoices = 200;
const openBills = 100;
const agents = 200;
const callers = 16;

/** Of each ten events six are sales in cash, two an invoice and its payment, and two a bill and its payment. */
const eventsPerMonth = 800;

/** A line of an entry: account, debit and credit in minor units. */
type Line = readonly [account: string, debit: number, credit: number];

/** Events of which each is recorded after the one before. */
type Chain = readonly object[];

/** The accounts of the events, by their use. */
interface Accounts {
  readonly cash: string;
  readonly receivables: string;
  readonly payables: string;
  readonly sales: string;
  readonly tax: string;
  readonly expenses: string;
}

/** Who calls, about which books. */
interface GrowingBooksParts {
  readonly user: TestClient;
  readonly callers: Callers;
  readonly graph: string;
  readonly accounts: Accounts;
}

/**
 * Books that grow month by month through the public interface. Each month but the current one is closed. Another
 * process posts the events of a month at once, so that 100,000 of them take minutes.
 */
export class GrowingBooks {
  readonly graph: string;
  readonly accounts: Accounts;
  readonly #user: TestClient;
  readonly #callers: Callers;
  #agents: readonly string[] = [];
  #month = 0;

  constructor({ user, callers, graph, accounts }: GrowingBooksParts) {
    this.#user = user;
    this.#callers = callers;
    this.graph = graph;
    this.accounts = accounts;
  }

  /** The URL for events. */
  get eventsUrl(): string {
    return `${this.#user.url}${this.#pathOf('create-event-block')}`;
  }

  /** Adds the counterparties and what stays open. */
  async begin(): Promise<void> {
    const made: string[] = [];
    for (let agent = 0; agent < agents; agent += 1)
      made.push((await this.run('create-agent', { agent_type: 'other', name: `Agent ${agent}` })).id);
    this.#agents = made;
    const { receivables, payables, sales, expenses } = this.accounts;
    const invoice = (index: number) =>
      this.event('invoice_issued', move(receivables, sales, 10_000 + index), this.#owed(10_000 + index, index));
    const bill = (index: number) =>
      this.event('bill_received', move(expenses, payables, 5_000 + index), this.#owed(5_000 + index, index));
    await this.#post([...chainsOf(openInvoices, invoice), ...chainsOf(openBills, bill)]);
  }

  /** The number of events. */
  async events(): Promise<number> {
    const { body } = await this.#user.graphql(this.graph, '{ summary { transactionCount } }');
    return body.data.summary.transactionCount;
  }

  /** Fills and closes months until the books have at least this number of events, including those of measurements. */
  async growTo(events: number): Promise<void> {
    for (let count = await this.events(); count < events; count += eventsPerMonth) {
      await this.#post(this.#monthOfEvents());
      await this.close();
    }
  }

  /** Closes the current month and returns the time it took in milliseconds. */
  async close(): Promise<number> {
    const started = performance.now();
    await this.run('close-period', { period: this.period });
    const time = performance.now() - started;
    this.#month += 1;
    return time;
  }

  /** Records drafts in the current month. */
  async draft(count: number): Promise<void> {
    const { cash, sales } = this.accounts;
    await this.#post(chainsOf(count, () => this.event('journal_entry_recorded', move(cash, sales, 100), {}, 'draft')));
  }

  /** The request that records an event in the current month. */
  event(type: string, lines: readonly Line[], more: object = {}, status = 'posted'): object {
    const day = `${this.period}-15`;
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

  /** Runs an operation or a view, which must succeed, and returns its result. */
  async run(name: string, body: object): Promise<{ readonly id: string }> {
    const answer = await this.#user.post(this.#pathOf(name), body);
    if (answer.status !== 200) throw new Error(`${name} failed: ${JSON.stringify(answer.body).slice(0, 300)}`);
    return answer.body.result;
  }

  #pathOf(operation: string): string {
    return `/extensions/ledger/${this.graph}/operations/${operation}`;
  }

  /** The current month, as YYYY-MM. */
  get period(): string {
    return new Date(Date.UTC(2010, this.#month)).toISOString().slice(0, 7);
  }

  /** The events of a month; a payment follows what it settles. */
  #monthOfEvents(): readonly Chain[] {
    const { cash, receivables, payables, sales, tax, expenses } = this.accounts;
    const sold = this.event('journal_entry_recorded', [
      [cash, 10_700, 0],
      [sales, 0, 10_000],
      [tax, 0, 700],
    ]);
    const paid = (amount: number, index: number) => ({
      ...this.#owed(amount, index),
      discharges_event_id: '{previous}',
    });
    return Array.from({ length: eventsPerMonth / 10 }, (_, index) => [
      ...chainsOf(6, () => sold),
      [
        this.event('invoice_issued', move(receivables, sales, 900), this.#owed(900, index)),
        this.event('payment_received', move(cash, receivables, 900), paid(900, index)),
      ],
      [
        this.event('bill_received', move(expenses, payables, 700), this.#owed(700, index)),
        this.event('bill_paid', move(payables, cash, 700), paid(700, index)),
      ],
    ]).flat();
  }

  #owed(amount: number, index: number): object {
    return { amount, agent_id: this.#agents[index % agents] };
  }

  async #post(chains: readonly Chain[]): Promise<void> {
    await this.#callers.post({
      url: this.eventsUrl,
      headers: this.#user.headers,
      callers,
      chains: chains.map((chain) => chain.map((event) => JSON.stringify(event))),
    });
  }
}

function chainsOf(count: number, eventOf: (index: number) => object): readonly Chain[] {
  return Array.from({ length: count }, (_, index) => [eventOf(index)]);
}

/** The lines that move an amount to one account from another. */
export function move(to: string, from: string, cents: number): readonly Line[] {
  return [
    [to, cents, 0],
    [from, 0, cents],
  ];
}
