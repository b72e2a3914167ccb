import blocks from '@pacioli/blocks';
import { contribute, definePlugin, sql } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import { type FixedClock, fixedClock, startTestService, TestClient, type TestService } from '@pacioli/testing';
import ledger, {
  type AccountingConnection,
  accountingConnections,
  type CloseFinding,
  type CloseStepArgs,
  type CloseStepResult,
  closeGates,
  closeSteps,
  type ScheduleOfMonth,
  scheduleSources,
} from '../src/index.ts';
import { type Books, entry, type Leg, type Loose } from './books.ts';

/** Answers of the other plugins of a deployment about a month; a test sets them. */
export interface OtherPlugins {
  connections: readonly AccountingConnection[];
  stranded: CloseFinding | undefined;
  reconciling: CloseFinding | undefined;
  schedules: readonly ScheduleOfMonth[];
  stamp: (args: CloseStepArgs & { wasReclose: boolean }) => Promise<Partial<CloseStepResult>>;
  readonly reopened: string[];
}

export interface CloseService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly clock: FixedClock;
  readonly otherPlugins: OtherPlugins;
}

/** Resets the neighbors: they neither block a close nor add to it. */
export function resetOtherPlugins(otherPlugins: OtherPlugins): void {
  otherPlugins.connections = [];
  otherPlugins.stranded = undefined;
  otherPlugins.reconciling = undefined;
  otherPlugins.schedules = [];
  otherPlugins.stamp = async () => ({});
  otherPlugins.reopened.length = 0;
}

/** Starts a ledger at noon on April 1, 2026, with another plugin that extends the close. */
export async function startCloseService(): Promise<CloseService> {
  const otherPlugins: OtherPlugins = {
    connections: [],
    stranded: undefined,
    reconciling: undefined,
    schedules: [],
    stamp: async () => ({}),
    reopened: [],
  };
  const companion = definePlugin({
    name: 'companion',
    title: 'Extends the close in tests',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['ledger'],
    contributions: [
      contribute(accountingConnections, 'test', { create: () => ({ live: async () => otherPlugins.connections }) }),
      contribute(scheduleSources, 'test', { create: () => ({ activeSchedules: async () => otherPlugins.schedules }) }),
      contribute(closeGates, 'test_stranded', {
        after: ['stranded_obligations'],
        before: ['reconciling_items'],
        create: () => ({
          label: 'stranded obligation',
          overrideFlag: 'allow_stranded_obligations' as const,
          evaluate: async () => otherPlugins.stranded,
        }),
      }),
      contribute(closeGates, 'test_reconciling', {
        after: ['reconciling_items'],
        create: () => ({
          label: 'reconciling item',
          overrideFlag: 'allow_reconciling_items' as const,
          evaluate: async () => otherPlugins.reconciling,
        }),
      }),
      contribute(closeSteps, 'test_statements', {
        after: ['schedule-rules'],
        create: () => ({
          run: (args) => otherPlugins.stamp(args),
          reopen: async ({ month }) => {
            otherPlugins.reopened.push(month.period);
          },
        }),
      }),
    ],
  });
  const clock = fixedClock('2026-04-01T12:00:00Z');
  const service = await startTestService({
    plugins: [taxonomy, blocks, ledger, companion],
    aliases: { ledger: ['roboledger'] },
    clock,
    settings: { orgs: { maxGraphs: -1 } },
  });
  const ann = await service.newUser('Ann');
  const { key } = (await ann.post('/v1/user/api-keys', { name: 'months' })).body;
  // A key outlives the months that the clock skips; a session does not.
  return { service, user: new TestClient(service.url, { 'x-api-key': key }), clock, otherPlugins };
}

/** A draft of a journal entry as an event. */
export function draft(book: Books, date: string, legs: readonly Leg[], more: object = {}): object {
  const posted = entry(book, date, legs) as { metadata: object };
  return { ...posted, metadata: { ...posted.metadata, status: 'draft' }, ...more };
}

/** Records an event that must succeed, and returns its result. */
export async function recorded(book: Books, body: object): Promise<Loose> {
  const answer = await book.operation('create-event-block', body);
  if (answer.status !== 200) throw new Error(`The event was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.result;
}

/** Records a sale of that many cents as a draft. */
export const sale = (book: Books, date: string, cents: number): Promise<Loose> =>
  recorded(
    book,
    draft(book, date, [
      ['1000', cents, 0],
      ['4000', 0, cents],
    ]),
  );

/** Reads the audit rows of the calendar. */
export function audit(service: TestService, book: Books): Promise<readonly Loose[]> {
  return service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<Loose>`
      SELECT type, period, from_value, to_value, actor_type, reason, note FROM ledger_calendar_event ORDER BY at, id`),
  );
}
