import { type Ids, sql, type Transaction } from '@pacioli/core';
import type { ReportingRecentCall } from '../rows.gen.ts';

const windowMs = 3_600_000;

/** The limited calls: deliveries to a graph (investor X-3), additions to lists by a user (investor L-3). */
export type LimitedCall = 'delivery' | 'addition';

const maxCalls = { delivery: 30, addition: 60 } as const;

/**
 * Counts a call of the last hour, and returns false if the limit is reached; a refused call does not count. Concurrent
 * calls for one subject wait for each other.
 */
export async function countCall(
  tx: Transaction,
  ids: Ids,
  { kind, subject, now }: { readonly kind: LimitedCall; readonly subject: string; readonly now: Date },
): Promise<boolean> {
  const lock = `pacioli.reporting.calls.${tx.graphId}.${kind}.${subject}`;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const since = new Date(now.getTime() - windowMs);
  await tx.query(sql`delete from reporting_recent_call
    where graph_id = ${tx.graphId} and kind = ${kind} and subject = ${subject} and called_at <= ${since}`);
  const counted = await tx.query(sql<Pick<ReportingRecentCall, 'id'>>`
    insert into reporting_recent_call (graph_id, id, kind, subject, called_at)
    select ${tx.graphId}, ${ids.make('call')}, ${kind}, ${subject}, ${now}
    where (select count(*) from reporting_recent_call
      where graph_id = ${tx.graphId} and kind = ${kind} and subject = ${subject}) < ${maxCalls[kind]}
    returning id`);
  return counted.length > 0;
}
