import { sql } from 'kysely';
import type { CompletedCall } from '../define/operation.ts';
import type { KernelOperationAudit } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';

/** Rebuilds the result of a completed call from the rows of the domain. */
export type RestoreResult = (call: CompletedCall) => Promise<unknown>;

/** A completed call without a record, because the domain keeps its result: what its audit row says (platform N-5a). */
export interface AuditedCall {
  readonly id: KernelOperationAudit['operation_id'];
  readonly name: KernelOperationAudit['operation'];
  readonly graph_id: KernelOperationAudit['graph_id'];
  readonly user_id: KernelOperationAudit['user_id'];
  readonly started_at: Date;
  readonly ended_at: KernelOperationAudit['at'];
  readonly ids: CompletedCall['ids'];
}

/** Finds a call that completed within its request; runs of a worker always have a record. */
export async function findAuditedCall(tx: Transaction, operationId: string): Promise<AuditedCall | undefined> {
  const [call] = await tx.query(sql<AuditedCall>`
    SELECT operation_id AS id, operation AS name, graph_id, user_id, at AS ended_at,
      at - duration_ms * interval '1 millisecond' AS started_at, touched AS ids
    FROM kernel_operation_audit
    WHERE operation_id = ${operationId} AND status = 'completed' AND surface <> 'worker' AND touched IS NOT NULL`);
  return call;
}
