import blocks from '@pacioli/blocks';
import { definePlugin, kernel, type Plugin, sql, type Use } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import ledger, { rollforwards, scheduleSettings } from '../src/index.ts';
import type { Books, Loose } from './books.ts';

const services = { store: kernel.store, rollforwards, scheduleSettings };

/** A service whose clock the test moves, with the services that another plugin would resolve. */
export interface ScheduleService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly use: Use<typeof services>;
}

export async function startScheduleService(now: string): Promise<ScheduleService> {
  let use: Use<typeof services> | undefined;
  const reader: Plugin = definePlugin({
    name: 'reader',
    title: 'Reader of the books',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['ledger'],
    services,
    start: async (given) => {
      use = given.use;
    },
  });
  const clock = fixedClock(now);
  const service = await startTestService({
    plugins: [taxonomy, blocks, ledger, reader],
    aliases: { ledger: ['roboledger'] },
    clock,
    settings: { orgs: { maxGraphs: -1 } },
  });
  if (use === undefined) throw new Error('The plugin of the test was not started.');
  return { service, user: await service.newUser('Ann'), clock, use };
}

/** Keeps the background sweep away from obligations that a test counts before it promotes them. */
export async function withoutSweep(service: TestService): Promise<void> {
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`
      INSERT INTO kernel_schedule (job, next_at) VALUES ('sweep-obligations', '2099-01-01')
      ON CONFLICT (job) DO UPDATE SET next_at = excluded.next_at`),
  );
}

/** Opens a graph with a calendar and the chart of a template. */
export async function openScheduleBooks(user: TestClient, template: string, calendar: object): Promise<Books> {
  const graph = await user.createGraph('Books', ['roboledger']);
  const operation: Books['operation'] = (name, body = {}, headers = {}) =>
    user.post(`/extensions/ledger/${graph}/operations/${name}`, body, headers);
  const query: Books['query'] = async (text) => {
    const answer = await user.graphql(graph, text);
    if (answer.body.errors !== undefined) throw new Error(JSON.stringify(answer.body.errors));
    return answer.body.data;
  };
  const started = await operation('initialize', calendar);
  if (started.status !== 200) throw new Error(JSON.stringify(started.body));
  await operation('initialize-chart-of-accounts', { template, entity_type: 'llc' });
  const { accounts } = await query('{ accounts(limit: 200) { accounts { id code } } }');
  const ids = new Map<string, string>(
    accounts.accounts.map((account: { id: string; code: string }) => [account.code, account.id]),
  );
  return { graph, operation, query, id: (code) => ids.get(code) ?? `no account ${code}` };
}

/** The payload of a schedule over two accounts. */
export function schedule(book: Books, debit: string, credit: string, more: object = {}): Loose {
  return {
    name: 'Insurance',
    element_ids: [book.id(debit), book.id(credit)],
    period_start: '2026-03-01',
    period_end: '2027-02-28',
    monthly_amount: 30_000,
    entry_template: { debit_element_id: book.id(debit), credit_element_id: book.id(credit) },
    ...more,
  };
}

/** The payload of example 13.1: a year of prepaid insurance. */
export const insurance = (book: Books, more: object = {}): Loose =>
  schedule(book, '6300', '1300', {
    schedule_metadata: { original_amount: 360_000, asset_element_id: book.id('1300') },
    ...more,
  });

/** Creates the schedule and returns its envelope. */
export async function createSchedule(book: Books, payload: object): Promise<Loose> {
  const answer = await book.operation('create-information-block', { block_type: 'schedule', payload });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.result;
}

export function van(book: Books, more: object = {}): Loose {
  return schedule(book, '6900', '1590', {
    name: 'Van',
    period_start: '2026-01-01',
    period_end: '2028-12-31',
    monthly_amount: 70_000,
    schedule_metadata: { original_amount: 2_700_000, residual_value: 180_000, asset_element_id: book.id('1520') },
    ...more,
  });
}

/** Counts the obligations of a schedule by status. */
export async function obligations(book: Books, scheduleId: string): Promise<Record<string, number>> {
  const { eventBlocks } = await book.query(
    '{ eventBlocks(eventType: "schedule_entry_due", limit: 1000) { status metadata obligatedByEventId } }',
  );
  const counts: Record<string, number> = {};
  for (const event of eventBlocks) {
    if (event.metadata.schedule_id === scheduleId) counts[event.status] = (counts[event.status] ?? 0) + 1;
  }
  return counts;
}

const journal = `{ journalEntries(limit: 500) { entries { id type status postingDate memo provenance transactionId
  sourceStructureId lineItems { accountCode debitAmount creditAmount } } } }`;

/** All entries, newest first. */
export async function entries(book: Books): Promise<readonly Loose[]> {
  return (await book.query(journal)).journalEntries.entries;
}

/** The lines of an entry as code, debit and credit, in major units. */
export function legs(entry: Loose): readonly (readonly [string, number, number])[] {
  return entry.lineItems.map((line: Loose) => [line.accountCode, line.debitAmount, line.creditAmount]);
}

/** Everything that a refused request must not change. */
export async function everything(book: Books): Promise<unknown> {
  return [
    await entries(book),
    await book.query('{ eventBlocks(limit: 1000) { id status metadata replacedByEventId obligatedByEventId } }'),
    await book.query(
      '{ informationBlocks(blockType: "schedule") { id name facts { id value factScope } rules { id ruleExpression } } }',
    ),
  ];
}

/** The status and message of a refusal. */
export function refusal(answer: Answer): readonly [number, string] {
  return [answer.status, String(answer.body.detail)];
}

/** The blockers of closing March (ledger L-148). */
export async function blockers(book: Books): Promise<readonly string[]> {
  await book.operation('set-close-target', { period: '2026-03' });
  return (await book.query('{ fiscalCalendar { blockers } }')).fiscalCalendar.blockers;
}

/** Finds the live obligation for a day. */
export async function obligationOf(book: Books, id: string, day: string): Promise<string> {
  const { eventBlocks } = await book.query(
    '{ eventBlocks(eventType: "schedule_entry_due", limit: 1000) { id status metadata } }',
  );
  const found = eventBlocks.find(
    (event: Loose) =>
      event.metadata.schedule_id === id && event.metadata.posting_date === day && event.status !== 'voided',
  );
  return found?.id ?? `no obligation on ${day}`;
}

/** Finds the entry of a day. */
export async function draftOf(book: Books, day: string): Promise<Loose> {
  return (await entries(book)).find((entry: Loose) => entry.postingDate === day) ?? {};
}

/** The event that drafts a month of a schedule. */
export const entryDue = (id: string, day: string): object => ({
  event_type: 'schedule_entry_due',
  event_category: 'recognition',
  source: 'schedule',
  occurred_at: `${day}T00:00:00Z`,
  apply_handlers: true,
  metadata: { schedule_id: id, period_end: day },
});
