import { sql } from 'kysely';
import { outsideKeyScope } from '../auth/refusals.ts';
import { createToken } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import { releaseKey } from '../envelope/idempotency.ts';
import { packResult } from '../envelope/packed-result.ts';
import { type AuditedCall, findAuditedCall } from '../envelope/restored-results.ts';
import type { ResultRestorer } from '../envelope/result-restorer.ts';
import { notFound, ServiceError } from '../errors/service-error.ts';
import { validationFailure } from '../errors/to-wire.ts';
import type { KernelOperation } from '../rows.gen.ts';
import type { SchemaValidator } from '../schema/validate.ts';
import { workChannel } from '../services/events.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { GraphAccess } from '../tenancy/graph-access.ts';
import { readGraphAccess } from '../tenancy/graph-access-rows.ts';
import { isInKeyScope, memberGraphId } from '../tenancy/graph-id.ts';
import { effectiveRole, graphDenied } from '../tenancy/roles.ts';
import { appendEvent, terminalStates } from './events.ts';

const statusColumns = columnsOf<KernelOperation>()(
  'id',
  'graph_id',
  'user_id',
  'name',
  'status',
  'input_request',
  'result',
  'packed_result',
  'error',
  'error_details',
  'progress',
  'created_at',
  'updated_at',
  'joined_by',
  'attempt',
);

/** The columns of a run for its status response. */
export type OperationRow = RowOf<typeof statusColumns> & {
  readonly input_request: Readonly<Record<string, unknown>> | null;
  readonly error_details: Readonly<Record<string, unknown>> | null;
  readonly progress: Readonly<Record<string, unknown>> | null;
  /** Other users whose requests joined this run while it was open. */
  readonly joined_by: KernelOperation['joined_by'];
};

/** Reads, cancels and resumes runs for callers (platform section 11). */
export interface Operations {
  /**
   * Returns a run to the user who started it and to admins of its graph (platform L-16, P-23), while they have access to
   * its graph. A user who joined it may only read it.
   */
  find(caller: Caller, operationId: string, access: 'read' | 'cancel' | 'resume'): Promise<OperationRow>;
  /** Returns the position of a waiting run in the queue. */
  queuePosition(row: OperationRow): Promise<{ readonly position: number; readonly depth: number }>;
  cancel(caller: Caller, operationId: string, reason: string): Promise<OperationRow>;
  /** Throws 409 unless the run awaits input; with `attempt`, unless it asked in that attempt. */
  resume(caller: Caller, operationId: string, input: unknown, attempt?: number): Promise<OperationRow>;
}

export const operations = createToken<Operations>('kernel.operations');

const idForm = /^(op_[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|q_[0-9a-f]{12})$/;

export class StoredOperations implements Operations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #access: GraphAccess;
  readonly #validator: SchemaValidator;
  readonly #restorer: ResultRestorer;
  readonly #settings: KernelSettings;

  constructor(parts: {
    store: Store;
    clock: Clock;
    access: GraphAccess;
    validator: SchemaValidator;
    restorer: ResultRestorer;
    settings: KernelSettings;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#access = parts.access;
    this.#validator = parts.validator;
    this.#restorer = parts.restorer;
    this.#settings = parts.settings;
  }

  async find(caller: Caller, operationId: string, access: 'read' | 'cancel' | 'resume'): Promise<OperationRow> {
    if (!idForm.test(operationId)) {
      throw validationFailure([
        { loc: ['path', 'operation_id'], msg: 'Not an operation id', type: 'string_pattern_mismatch' },
      ]);
    }
    const { row, call } = await this.#stored(operationId);
    await this.#requireAccess(caller, row, access);
    if (call === undefined || access !== 'read') return row;
    return { ...row, packed_result: packResult(await this.#restorer.restore(call)) };
  }

  async #stored(operationId: string): Promise<{ readonly row: OperationRow; readonly call?: AuditedCall }> {
    const { row, call } = await this.#store.transaction('kernel', async (tx) => {
      const [found] = await tx.query(sql<OperationRow>`
        SELECT ${statusColumns} FROM kernel_operation WHERE id = ${operationId}`);
      return found === undefined ? { call: await findAuditedCall(tx, operationId) } : { row: found };
    });
    if (row !== undefined) return { row };
    const keptSince = this.#clock.now().getTime() - this.#settings.operations.retentionDays * 86_400_000;
    if (call !== undefined && call.ended_at.getTime() > keptSince && this.#restorer.restores(call.name))
      return { row: rowOf(call), call };
    throw notFound('Operation not found. It may have expired.');
  }

  async #requireAccess(caller: Caller, row: OperationRow, access: 'read' | 'cancel' | 'resume'): Promise<void> {
    const isOwn = row.user_id === caller.userId && keyReaches(caller, row);
    if (isOwn && !(await this.#hasLost(caller, row.graph_id))) return;
    const role = access === 'resume' ? undefined : await this.#roleIn(caller, row.graph_id);
    if (role === 'admin') return;
    if (access === 'read' && role !== undefined && row.joined_by.includes(caller.userId)) return;
    if (isOwn) throw graphDenied();
    if (row.user_id === caller.userId) throw outsideKeyScope();
    throw new ServiceError('forbidden', 'FORBIDDEN', 'This operation was started by another user.');
  }

  /** True if the user was removed from the graph. One that is gone, or not there yet, keeps its runs with their users. */
  async #hasLost(caller: Caller, graphId: string | null): Promise<boolean> {
    if (graphId === null) return false;
    const row = await readGraphAccess(this.#store, caller.userId, memberGraphId(graphId));
    return row !== undefined && effectiveRole(row.grant_role, row.org_role) === undefined;
  }

  async #roleIn(caller: Caller, graphId: string | null): Promise<string | undefined> {
    if (graphId === null) return undefined;
    try {
      return (await this.#access.enterGraph(caller, graphId)).role;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  async queuePosition(row: OperationRow): Promise<{ position: number; depth: number }> {
    const [queue] = await this.#store.transaction('kernel', (tx) =>
      tx.query(sql<{ position: number; depth: number }>`
        SELECT count(*) FILTER (WHERE created_at <= ${row.created_at}) AS position, count(*) AS depth
        FROM kernel_operation WHERE status = 'pending'`),
    );
    return queue ?? { position: 0, depth: 0 };
  }

  async cancel(caller: Caller, operationId: string, reason: string): Promise<OperationRow> {
    const row = await this.find(caller, operationId, 'cancel');
    if (terminalStates.has(row.status)) throw notCancelable(row.status);
    await this.#store.transaction('kernel', (tx) => cancelRun(tx, row.id, reason, this.#clock.now()));
    return { ...row, status: 'cancelled' };
  }

  async resume(caller: Caller, operationId: string, input: unknown, attempt?: number): Promise<OperationRow> {
    const row = await this.find(caller, operationId, 'resume');
    if (row.status !== 'awaiting_input' || row.attempt !== (attempt ?? row.attempt)) throw notWaiting(row.status);
    const schema = row.input_request?.['schema'];
    if (typeof schema === 'object' && schema !== null) {
      const checked = this.#validator.check(schema, input, 'body');
      if (!checked.ok)
        throw validationFailure(
          checked.issues.map((issue) => ({ ...issue, loc: ['body', 'input', ...issue.loc.slice(1)] })),
        );
    }
    await this.#store.transaction('kernel', async (tx) => {
      const now = this.#clock.now();
      // Two answers may race; the WHERE clause accepts one, to the question that the input was checked for (platform L-19).
      const taken = await tx.query(sql<Pick<KernelOperation, 'id'>>`
        UPDATE kernel_operation SET status = 'pending', answer = ${JSON.stringify(input ?? {})}::jsonb, updated_at = ${now}
        WHERE id = ${row.id} AND status = 'awaiting_input' AND attempt = ${row.attempt} RETURNING id`);
      if (taken.length === 0) throw notWaiting('pending');
      await appendEvent(
        tx,
        row.id,
        'operation_resumed',
        { message: 'The answer was accepted; the run continues.' },
        now,
      );
      await tx.query(sql`SELECT pg_notify(${workChannel}, '')`);
    });
    return { ...row, status: 'pending' };
  }
}

/** A key of one graph reaches the operations of that graph and its subgraphs only (platform K-3). */
function keyReaches({ scopeGraphId }: Caller, { graph_id: graphId }: OperationRow): boolean {
  return scopeGraphId === undefined || (graphId !== null && isInKeyScope(scopeGraphId, graphId));
}

function notWaiting(status: string): ServiceError {
  return new ServiceError('conflict', 'INVALID_STATE', `Operation is not waiting for input (status: ${status}).`);
}

function notCancelable(status: string): ServiceError {
  return new ServiceError('conflict', 'INVALID_STATE', `Cannot cancel operation in ${status} state`);
}

/** A call without a record as a row: it has completed, and only its result is kept, by the domain. */
function rowOf(call: AuditedCall): OperationRow {
  return {
    id: call.id,
    graph_id: call.graph_id,
    user_id: call.user_id,
    name: call.name,
    status: 'completed',
    input_request: null,
    result: null,
    packed_result: null,
    error: null,
    error_details: null,
    progress: null,
    created_at: call.started_at,
    updated_at: call.ended_at,
    joined_by: [],
    attempt: 0,
  };
}

/** Cancels an open run, notifies its watchers and releases its idempotency key (platform L-7, N-24). */
export async function cancelRun(tx: Transaction, operationId: string, reason: string, now: Date): Promise<void> {
  const [row] = await tx.query(
    sql<Pick<KernelOperation, 'status'>>`SELECT status FROM kernel_operation WHERE id = ${operationId} FOR UPDATE`,
  );
  if (row === undefined || terminalStates.has(row.status)) {
    throw notCancelable(row?.status ?? 'unknown');
  }
  await tx.query(sql`
    UPDATE kernel_operation SET status = 'cancelled', finished_at = ${now}, lease_owner = NULL, lease_until = NULL WHERE id = ${operationId}`);
  await releaseKey(tx, operationId);
  await appendEvent(tx, operationId, 'operation_cancelled', { reason }, now);
}

/** Cancels all open runs of a graph and its subgraphs. */
export async function cancelRunsOfGraph(tx: Transaction, graphId: string, reason: string, now: Date): Promise<void> {
  const open = await tx.query(sql<Pick<KernelOperation, 'id'>>`
    SELECT r.id FROM kernel_operation r JOIN kernel_graph g USING (graph_id)
    WHERE (g.graph_id = ${graphId} OR g.parent_id = ${graphId}) AND r.finished_at IS NULL
    ORDER BY r.id FOR UPDATE OF r`);
  for (const run of open) await cancelRun(tx, run.id, reason, now);
}

/** Cancels all open runs of a user (platform L-21); returns their number. */
export async function cancelRunsOfUser(tx: Transaction, userId: string, reason: string, now: Date): Promise<number> {
  // Locks the runs in a fixed order, so that none can complete in between; platform L-22 bounds their number.
  const open = await tx.query(sql<Pick<KernelOperation, 'id'>>`
    SELECT id FROM kernel_operation WHERE user_id = ${userId} AND finished_at IS NULL ORDER BY id FOR UPDATE`);
  for (const run of open) await cancelRun(tx, run.id, reason, now);
  return open.length;
}
