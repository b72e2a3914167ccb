import { sql } from 'kysely';
import type { Caller, Graph, Progress, Question, RunContext } from '../define/context.ts';
import type { Kernel } from '../envelope/kernel.ts';
import type { KernelOperation } from '../rows.gen.ts';
import type { Graphs } from '../services/kernel-tokens.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import { storableJson } from '../store/storable.ts';
import type { Transaction } from '../store/store.ts';
import { appendEvent } from './events.ts';
import { Cancelled, Paused } from './run-failure.ts';

/** A question waits for its answer this long, in days (platform L-20). */
export const maxAnswerDays = 7;

export const runColumns = columnsOf<KernelOperation>()(
  'id',
  'name',
  'graph_id',
  'task',
  'checkpoint',
  'answer',
  'attempt',
);

/** Completes the last report of a run that has succeeded, because a handler reports the steps before its end. */
export const wholeProgress = JSON.stringify({ percentage: 100, progress_percent: 100 });

/** A run as a worker takes it from the queue. */
export type StoredRun = RowOf<typeof runColumns> & {
  readonly task: {
    readonly input: unknown;
    readonly accepted: Readonly<Record<string, unknown>> | null;
    readonly caller: Caller;
    readonly requestId: string;
  };
  readonly checkpoint: Readonly<Record<string, unknown>> | null;
};

/** A run that one worker has leased. */
export interface Lease {
  readonly run: StoredRun;
  readonly owner: string;
}

/**
 * The last statement of each writing transaction: a worker that lost its lease must not commit, because another one
 * repeats the work. The lock lasts until the commit, so that no other worker takes the run in between.
 */
async function requireLease(tx: Transaction, { run, owner }: Lease): Promise<void> {
  const held = await tx.query(sql`
    SELECT 1 AS held FROM kernel_operation
    WHERE id = ${run.id} AND status = 'running' AND lease_owner = ${owner} AND attempt = ${run.attempt} FOR SHARE`);
  if (held.length === 0) throw new Cancelled('This worker no longer owns the run.');
}

/** Builds the context for the handler of a run. */
export async function runContext(
  kernel: Kernel,
  graphs: Graphs,
  lease: Lease,
  signal: AbortSignal,
  emit: RunContext['emit'],
): Promise<RunContext> {
  const { run } = lease;
  const { caller } = run.task;
  return {
    caller,
    graph: run.graph_id === null ? undefined : await graphOf(kernel, graphs, run.graph_id),
    requestId: run.task.requestId,
    operationId: run.id,
    attempt: run.attempt,
    accepted: run.task.accepted,
    resume: run.checkpoint === null ? undefined : { checkpoint: run.checkpoint, input: run.answer },
    signal,
    log: kernel.log,
    now: () => kernel.clock.now(),
    emit,
    transaction: (work, options = {}) => {
      signal.throwIfAborted();
      const graphId = options.graphId ?? run.graph_id;
      return kernel.store.transaction(
        graphId === null ? 'kernel' : { graphId },
        async (tx) => {
          const made = await work(tx);
          if (options.readOnly !== true && graphId === run.graph_id) await requireLease(tx, lease);
          return made;
        },
        options,
      );
    },
    report: (progress) => report(kernel, run, signal, progress),
    announce: (type, payload) => announce(kernel, run, signal, { type, payload }),
    ask: (question) => ask(kernel, run, signal, question),
  };
}

async function graphOf(kernel: Kernel, graphs: Graphs, graphId: string): Promise<Graph | undefined> {
  const record = await kernel.store.transaction({ graphId }, (tx) => graphs.find(tx, graphId));
  if (record === undefined) return undefined;
  // The caller's role was checked when the request was accepted, so the run does not check it again.
  return {
    id: record.id,
    orgId: record.orgId,
    name: record.name,
    type: record.type,
    tier: record.tier,
    extensions: record.extensions,
    role: 'admin',
    ...(record.parentId === undefined ? {} : { parentId: record.parentId }),
  };
}

/** Stores progress immediately in a separate transaction, so that watchers see it during the run. */
async function report(kernel: Kernel, run: StoredRun, signal: AbortSignal, progress: Progress): Promise<void> {
  signal.throwIfAborted();
  const percent = progress.percent ?? null;
  const { current_step, total_steps } = progress;
  const steps = {
    ...(current_step === undefined ? {} : { current_step }),
    ...(total_steps === undefined ? {} : { total_steps }),
  };
  const details = progress.details === undefined ? {} : { details: progress.details };
  const payload = {
    message: progress.message,
    progress_percent: percent,
    percentage: percent,
    progress: percent,
    ...steps,
    ...details,
  };
  const stored = { message: progress.message, percentage: percent, progress_percent: percent, ...steps };
  await kernel.store.transaction('kernel', async (tx) => {
    const now = kernel.clock.now();
    const alive = await tx.query(sql<Pick<KernelOperation, 'id'>>`
      UPDATE kernel_operation SET progress = ${storableJson(stored)}::jsonb WHERE id = ${run.id} AND status = 'running' RETURNING id`);
    // A canceled run stops here at the latest (platform L-13).
    if (alive.length === 0) throw new Cancelled('The run was canceled.');
    await appendEvent(tx, run.id, 'operation_progress', payload, now);
  });
}

const ownEventType = /^(?!operation_|stream_)[a-z]+(?:_[a-z]+)+$/;

/** Appends an event of a part to the stream of its run; a canceled run stops here. */
async function announce(
  kernel: Kernel,
  run: StoredRun,
  signal: AbortSignal,
  { type, payload }: { readonly type: string; readonly payload: object },
): Promise<void> {
  signal.throwIfAborted();
  if (!ownEventType.test(type)) throw new Error(`${type} is no event type of a part.`);
  await kernel.store.transaction('kernel', async (tx) => {
    const alive = await tx.query(sql<Pick<KernelOperation, 'id'>>`
      SELECT id FROM kernel_operation WHERE id = ${run.id} AND status = 'running' FOR UPDATE`);
    if (alive.length === 0) throw new Cancelled('The run was canceled.');
    await appendEvent(tx, run.id, type, payload, kernel.clock.now());
  });
}

async function ask(kernel: Kernel, run: StoredRun, signal: AbortSignal, question: Question): Promise<never> {
  signal.throwIfAborted();
  const now = kernel.clock.now();
  const request = {
    prompt: question.prompt,
    checkpoint: question.checkpoint,
    ...(question.schema === undefined ? {} : { schema: question.schema }),
    ...(question.options === undefined ? {} : { options: question.options }),
    requested_at: now.toISOString(),
    expires_at: new Date(now.getTime() + maxAnswerDays * 86_400_000).toISOString(),
  };
  await kernel.store.transaction('kernel', async (tx) => {
    const stored = await tx.query(sql<Pick<KernelOperation, 'id'>>`
      UPDATE kernel_operation SET status = 'awaiting_input', input_request = ${storableJson(request)}::jsonb, answer = NULL,
        checkpoint = ${storableJson(question.checkpoint)}::jsonb, lease_owner = NULL, lease_until = NULL
      WHERE id = ${run.id} AND status = 'running' RETURNING id`);
    if (stored.length === 0) throw new Cancelled('The run was canceled.');
    await appendEvent(tx, run.id, 'operation_awaiting_input', { input_request: request }, now);
  });
  throw new Paused('The run waits for an answer.');
}
