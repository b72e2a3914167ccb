import { sql } from 'kysely';
import type { KernelOutbox } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';

/** A business event that waits for its delivery, or that could not be delivered (platform X-4a). */
export interface UndeliveredEvent {
  readonly id: string;
  readonly name: string;
  readonly graphId: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** Lists business events of these names that are not delivered, oldest first; requires the kernel's scope. */
export async function undeliveredEvents(
  tx: Transaction,
  { names, limit }: { readonly names: readonly string[]; readonly limit: number },
): Promise<readonly UndeliveredEvent[]> {
  const rows = await tx.query(
    sql<Pick<KernelOutbox, 'id' | 'topic' | 'graph_id' | 'attempts' | 'last_error'>>`
      SELECT id, topic, graph_id, attempts, last_error FROM kernel_outbox
      WHERE topic = ANY (${[...names]}::text[]) ORDER BY id LIMIT ${limit}`,
  );
  return rows.map(({ id, topic, graph_id, attempts, last_error }) => ({
    id,
    name: topic,
    graphId: graph_id,
    attempts,
    lastError: last_error,
  }));
}
