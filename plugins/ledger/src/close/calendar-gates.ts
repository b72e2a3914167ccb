import { type Contribution, contribute, type Transaction } from '@pacioli/core';
import { accountingConnections, closeGates } from '../tokens.ts';
import { daysBetween } from '../values/index.ts';
import { isClosedAlready, violatesSequence } from './close.ts';
import type { AccountingConnection, AccountingConnectionSource, CloseGateArgs } from './close-extensions.ts';
import type { CloseFinding } from './close-facts.ts';

/** All live accounting connections of the graph, the newest first. */
export async function liveConnections(
  tx: Transaction,
  sources: readonly AccountingConnectionSource[],
): Promise<readonly AccountingConnection[]> {
  const found: AccountingConnection[] = [];
  for (const source of sources) found.push(...(await source.live(tx)));
  return found.sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime());
}

/** The connection to which entries are published; the newest wins (ledger L-171). */
export function publishingConnection(connections: readonly AccountingConnection[]): AccountingConnection | undefined {
  return connections.find(({ writePolicy }) => writePolicy !== 'native');
}

const fails = (failed: boolean): CloseFinding | undefined => (failed ? { count: 0 } : undefined);

/** The gates of the calendar and of sync (ledger 7.3); schedules and reconciling items contribute their own. */
export const calendarGates: readonly Contribution[] = [
  contribute(closeGates, 'sequence_violation', {
    create: () => ({
      label: 'sequence',
      evaluate: async (args) => fails(violatesSequence({ period: args.month.period, ...args })),
    }),
  }),
  contribute(closeGates, 'period_already_closed', {
    after: ['sequence_violation'],
    create: () => ({
      label: 'closed period',
      evaluate: async (args) => fails(isClosedAlready({ period: args.month.period, ...args })),
    }),
  }),
  contribute(closeGates, 'period_incomplete', {
    after: ['period_already_closed'],
    create: () => ({
      label: 'completeness',
      evaluate: async ({ month, today }) => fails(month.end >= today),
    }),
  }),
  contribute(closeGates, 'sync_stale', {
    after: ['period_incomplete'],
    services: { sources: accountingConnections },
    create: ({ sources }) => ({
      label: 'sync',
      overrideFlag: 'allow_stale_sync' as const,
      evaluate: (args) => staleSync(args, sources),
    }),
  }),
];

/** Every live connection must be synced through the last day of the month; the most outdated one is reported. */
async function staleSync(
  { tx, month }: CloseGateArgs,
  sources: readonly AccountingConnectionSource[],
): Promise<CloseFinding | undefined> {
  const stale = (await liveConnections(tx, sources)).filter(
    ({ lastSyncAt }) => lastSyncAt === null || lastSyncAt.toISOString().slice(0, 10) < month.end,
  );
  if (stale.length === 0) return undefined;
  const days = stale.flatMap(({ lastSyncAt }) =>
    lastSyncAt === null ? [] : [daysBetween(lastSyncAt.toISOString().slice(0, 10), month.end)],
  );
  const isNeverSynced = days.length < stale.length;
  return { count: 0, details: { sync_stale_days: isNeverSynced ? null : Math.max(...days) } };
}
