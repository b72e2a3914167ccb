import { sql, type Transaction } from '@pacioli/core';
import type { GraphNightlyBackup } from '../rows.gen.ts';

/** The hour, in UTC, at which the nightly backups begin. */
const nightHour = 2;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A backup that failed is tried again after this time. */
const retryMs = 6 * hourMs;

/** A mark of a graph is written at most this often, because a write may follow another within milliseconds. */
export const markedForMs = 60_000;

type DueBackup = Pick<GraphNightlyBackup, 'graph_id'>;

/** The next night after an instant. */
function nextNight(now: Date): Date {
  const tonight = Math.floor(now.getTime() / dayMs) * dayMs + nightHour * hourMs;
  return new Date(tonight > now.getTime() ? tonight : tonight + dayMs);
}

/** Records that a graph or subgraph has new content, so that the next night backs it up; in its scope. */
export async function noteChange(tx: Transaction, graphId: string, now: Date): Promise<void> {
  await tx.query(sql`
    INSERT INTO graph_nightly_backup (graph_id, changed_at, due_at) VALUES (${graphId}, ${now}, ${nextNight(now)})
    ON CONFLICT (graph_id) DO UPDATE SET changed_at = excluded.changed_at,
      due_at = COALESCE(graph_nightly_backup.due_at, excluded.due_at)`);
}

/** The backups that are due, in a kernel transaction; the longest overdue first. */
export function dueBackups(tx: Transaction, now: Date, limit: number): Promise<readonly DueBackup[]> {
  return tx.query(sql<DueBackup>`SELECT graph_id FROM graph_nightly_backup WHERE due_at <= ${now}
    ORDER BY due_at, graph_id LIMIT ${limit}`);
}

/**
 * Ends the turn of a graph whose backup began at `startedAt`; one that changed since then, or shortly before, is due in
 * the next night too, because not every write is marked. In a kernel transaction.
 */
export async function noteBackedUp(
  tx: Transaction,
  graphId: string,
  { startedAt, now }: { readonly startedAt: Date; readonly now: Date },
): Promise<void> {
  const surelyIn = new Date(startedAt.getTime() - 2 * markedForMs);
  await tx.query(sql`UPDATE graph_nightly_backup
    SET due_at = CASE WHEN changed_at > ${surelyIn} THEN ${nextNight(now)}::timestamptz END
    WHERE graph_id = ${graphId}`);
}

export async function tryAgainLater(tx: Transaction, graphId: string, now: Date): Promise<void> {
  await tx.query(sql`UPDATE graph_nightly_backup SET due_at = ${new Date(now.getTime() + retryMs)}
    WHERE graph_id = ${graphId}`);
}

/** Forgets a graph that is gone. In a kernel transaction. */
export async function forgetChanges(tx: Transaction, graphId: string): Promise<void> {
  await tx.query(sql`DELETE FROM graph_nightly_backup WHERE graph_id = ${graphId}`);
}
