import { sql } from 'kysely';
import type { Operation } from '../define/operation.ts';
import { emitterOf } from '../envelope/emitter.ts';
import { checkAnswer, type Kernel, type LazyServices } from '../envelope/kernel.ts';
import type { EmittedEvent } from '../envelope/record.ts';
import { isServiceError } from '../errors/service-error.ts';
import { undeclaredError } from '../errors/undeclared.ts';
import type { KernelOperation } from '../rows.gen.ts';
import { workChannel } from '../services/events.ts';
import type { Graphs } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { StoreError } from '../store/store.ts';
import { appendEvent } from './events.ts';
import { Heartbeat } from './heartbeat.ts';
import { runColumns, runContext, type StoredRun } from './run-context.ts';
import { storeCompletion, storeFailure } from './run-end.ts';
import {
  Cancelled,
  describeFailure,
  type Failure,
  Interrupted,
  interruptedText,
  isAttemptEnd,
  rejectOnAbort,
  TimedOut,
} from './run-failure.ts';
import { WorkLoop } from './work-loop.ts';

/** The limits of platform L-8 and L-14. */
export interface WorkerLimits {
  readonly maxConcurrentRuns: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly maxAttempts: number;
}

/** Returns the limits of a deployment; leases are renewed at every poll, several times before they expire. */
export function workerLimits({ operations }: Pick<KernelSettings, 'operations'>): WorkerLimits {
  const leaseMs = operations.leaseSeconds * 1000;
  return { maxConcurrentRuns: 4, leaseMs, pollMs: Math.min(1_000, leaseMs / 4), maxAttempts: 3 };
}

/** An operation that this worker can execute. */
export interface WorkerPart {
  readonly operation: Operation;
  readonly use: LazyServices;
  /** The most runs of it that this worker executes at once; no limit by default. */
  readonly maxConcurrent?: number | undefined;
}

/** Takes runs from the queue and executes a few at a time. */
export class Worker {
  readonly #kernel: Kernel;
  readonly #graphs: Graphs;
  readonly #parts: ReadonlyMap<string, WorkerPart>;
  readonly #limits: WorkerLimits;
  readonly #owner: string;
  readonly #heartbeat: Heartbeat;
  readonly #running = new Map<
    string,
    { readonly name: string; readonly controller: AbortController; readonly done: Promise<void> }
  >();
  readonly #loop: WorkLoop;
  #stopping = false;
  #stopListening: (() => Promise<void>) | undefined;

  constructor(kernel: Kernel, graphs: Graphs, parts: readonly WorkerPart[], limits: WorkerLimits) {
    this.#kernel = kernel;
    this.#graphs = graphs;
    this.#parts = new Map(parts.map((part) => [part.operation.name, part]));
    this.#limits = limits;
    this.#owner = kernel.ids.make('wrk');
    this.#heartbeat = new Heartbeat(kernel.store, this.#owner);
    this.#loop = new WorkLoop({
      look: () => this.#look(),
      onError: (error) => kernel.log.error('the worker could not look for work', { error }),
      pollMs: limits.pollMs,
    });
  }

  async start(): Promise<void> {
    this.#stopListening = await this.#kernel.store.listen(workChannel, () => this.wake());
    // The heartbeat comes first, so that a new deployment reports a worker from its first response.
    await this.#heartbeat.beat(this.#kernel.clock.now());
    this.#loop.start();
  }

  /** Looks for work at once, or again at once if it is looking. */
  wake(): void {
    this.#loop.notify();
  }

  /**
   * Stops taking runs and requeues the running ones without counting them as lost (platform H-5). Those that are never
   * repeated fail instead (platform L-12). The number of the attempt stays used, because charges are made by it.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
    for (const run of this.#running.values()) run.controller.abort(new Interrupted('The worker is stopping.'));
    await Promise.allSettled([...this.#running.values()].map((run) => run.done));
    const now = this.#kernel.clock.now();
    const unrepeated = [...this.#parts.values()]
      .filter(({ operation }) => operation.isNeverRepeated === true)
      .map(({ operation }) => operation.name);
    await this.#kernel.store.transaction('kernel', async (tx) => {
      const started = await tx.query(sql<StoredRun>`
        SELECT ${runColumns} FROM kernel_operation
        WHERE lease_owner = ${this.#owner} AND status = 'running' AND name = ANY (${unrepeated}::text[]) FOR UPDATE`);
      for (const run of started) await storeFailure(tx, run, { text: interruptedText, details: null }, { now });
      await tx.query(sql`
        UPDATE kernel_operation SET status = 'pending', lease_owner = NULL, lease_until = NULL
        WHERE lease_owner = ${this.#owner} AND status = 'running'`);
    });
    await this.#heartbeat.stop();
    await this.#stopListening?.();
  }

  async #look(): Promise<void> {
    // One time for all of it: a lease that the sweep finds valid is not renewed as of a later time.
    const now = this.#kernel.clock.now();
    await this.#heartbeat.beat(now);
    await this.#sweepLostLeases(now);
    await this.#renewLeases(now);
    while (!this.#stopping && this.#running.size < this.#limits.maxConcurrentRuns && (await this.#takeOne()));
  }

  async #takeOne(): Promise<boolean> {
    const now = this.#kernel.clock.now();
    const run = await this.#kernel.store.transaction('kernel', async (tx) => {
      const [taken] = await tx.query(sql<StoredRun>`
        UPDATE kernel_operation SET status = 'running', lease_owner = ${this.#owner}, attempt = attempt + 1, input_request = NULL,
          lease_until = ${new Date(now.getTime() + this.#limits.leaseMs)}, updated_at = ${now}
        WHERE id = (SELECT id FROM kernel_operation WHERE status = 'pending' AND name = ANY (${this.#takenNames()}::text[])
          ORDER BY created_at, id FOR UPDATE SKIP LOCKED LIMIT 1)
        RETURNING ${runColumns}`);
      if (taken === undefined) return undefined;
      await appendEvent(
        tx,
        taken.id,
        'operation_started',
        { operation_type: taken.name, graph_id: taken.graph_id, attempt: taken.attempt },
        now,
      );
      return taken;
    });
    if (run === undefined) return false;
    const controller = new AbortController();
    const done = this.#execute(run, controller).finally(() => {
      this.#running.delete(run.id);
      this.wake();
    });
    this.#running.set(run.id, { name: run.name, controller, done });
    return true;
  }

  /** The operations of which this worker may take another run. */
  #takenNames(): string[] {
    const counts = new Map<string, number>();
    for (const { name } of this.#running.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...this.#parts]
      .filter(([name, { maxConcurrent = Number.POSITIVE_INFINITY }]) => (counts.get(name) ?? 0) < maxConcurrent)
      .map(([name]) => name);
  }

  async #execute(run: StoredRun, controller: AbortController): Promise<void> {
    const part = this.#parts.get(run.name);
    if (part === undefined) return;
    const startedAt = this.#kernel.clock.now();
    const events: EmittedEvent[] = [];
    const lease = { run, owner: this.#owner };
    const seconds = part.operation.maxSeconds ?? 120;
    const timer = setTimeout(() => controller.abort(new TimedOut(seconds)), seconds * 1000);
    try {
      const emit = emitterOf(this.#kernel, part.operation, events);
      const ctx = await runContext(this.#kernel, this.#graphs, lease, controller.signal, emit);
      const handled = part.operation.handle({ input: run.task.input, ctx, use: part.use() });
      const result = await Promise.race([handled, rejectOnAbort(controller.signal)]).catch((error: unknown) =>
        resultAfterCancel(handled, error),
      );
      checkAnswer(this.#kernel, run.name, part.operation.output, result);
      const completion = { operation: part.operation, result, events, startedAt };
      await storeCompletion(this.#kernel, this.#graphs, lease, completion);
    } catch (error) {
      await this.#end(run, part, error, controller.signal).catch((cause: unknown) => {
        // The lease expires and another worker takes the run.
        this.#kernel.log.error('the end of a run could not be stored', { operationId: run.id, error: cause });
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** In tests, replaces a failure that the operation does not declare by one that says so (platform X-9c). */
  #declared(operation: Operation, error: unknown): unknown {
    if (this.#kernel.checkAnswers !== 'throw' || !isServiceError(error)) return error;
    return undeclaredError(operation, error) ?? error;
  }

  async #end(run: StoredRun, part: WorkerPart, error: unknown, signal: AbortSignal): Promise<void> {
    // The state is already stored, or another attempt repeats the run.
    if (isAttemptEnd(error)) return;
    if (this.#stopping && signal.aborted && !(signal.reason instanceof TimedOut)) return; // stop() requeues it.
    const reported = this.#declared(part.operation, error);
    const failure = describeFailure(run.id, reported);
    const isForCallers = isServiceError(reported) && reported.kind !== 'internal';
    if (!isForCallers && !(reported instanceof TimedOut)) {
      this.#kernel.log.error('a run failed', { operation: run.name, operationId: run.id, error: reported });
    }
    try {
      await this.#fail(run, failure);
    } catch (cause) {
      if (isPassing(cause)) throw cause;
      // Another attempt could not store it either, so the run ends with a text that can be stored.
      this.#kernel.log.error('the failure of a run could not be stored', { operationId: run.id, error: cause });
      await this.#fail(run, { ...describeFailure(run.id, cause), details: null });
    }
  }

  #fail(run: StoredRun, failure: Failure): Promise<void> {
    const end = { now: this.#kernel.clock.now(), owner: this.#owner };
    return this.#kernel.store.transaction('kernel', (tx) => storeFailure(tx, run, failure, end));
  }

  /** Renews the leases of this worker and stops canceled runs (platform L-13). */
  async #renewLeases(now: Date): Promise<void> {
    if (this.#running.size === 0) return;
    const until = new Date(now.getTime() + this.#limits.leaseMs);
    const ids = [...this.#running.keys()];
    const { held, cancelled } = await this.#kernel.store.transaction('kernel', async (tx) => ({
      held: await tx.query(sql<Pick<KernelOperation, 'id'>>`
        UPDATE kernel_operation SET lease_until = ${until}
        WHERE id = ANY (${ids}::text[]) AND status = 'running' AND lease_owner = ${this.#owner} RETURNING id`),
      cancelled: await tx.query(sql<Pick<KernelOperation, 'id'>>`
        SELECT id FROM kernel_operation WHERE id = ANY (${ids}::text[]) AND status = 'cancelled'`),
    }));
    for (const [id, { controller }] of this.#running)
      if (cancelled.some((row) => row.id === id)) controller.abort(new Cancelled('The run was canceled.'));
      else if (!held.some((row) => row.id === id)) controller.abort(new Interrupted('The run was lost.'));
  }

  /** Requeues the runs of dead workers if they are restartable, and fails the others (platform L-8, L-12). */
  async #sweepLostLeases(now: Date): Promise<void> {
    const restartable = [...this.#parts.values()]
      .filter((part) => part.operation.restartable === true)
      .map((part) => part.operation.name);
    await this.#kernel.store.transaction('kernel', async (tx) => {
      const lost = await tx.query(sql<StoredRun & Pick<KernelOperation, 'lost_count'>>`
        SELECT ${runColumns}, lost_count FROM kernel_operation
        WHERE status = 'running' AND lease_until < ${now} AND name = ANY (${[...this.#parts.keys()]}::text[])
        ORDER BY lease_until LIMIT 20 FOR UPDATE SKIP LOCKED`);
      for (const run of lost) {
        if (!restartable.includes(run.name)) {
          await storeFailure(tx, run, { text: interruptedText, details: null }, { now });
        } else if (run.lost_count + 1 >= this.#limits.maxAttempts) {
          await storeFailure(tx, run, { text: 'Worker lost', details: { attempts: run.attempt } }, { now });
        } else {
          await tx.query(sql`
            UPDATE kernel_operation SET status = 'pending', lost_count = lost_count + 1, lease_owner = NULL, lease_until = NULL, updated_at = ${now}
            WHERE id = ${run.id}`);
        }
      }
    });
  }
}

const passingCodes: ReadonlySet<StoreError['code']> = new Set([
  'unreachable',
  'locked',
  'busy',
  'statement-timeout',
  'lock-timeout',
  'serialization',
]);

/** True for a failure of the store that may be over when another worker takes the run (platform L-8). */
function isPassing(error: unknown): boolean {
  return error instanceof StoreError && passingCodes.has(error.code);
}

/** A canceled run gets this long to return what it has, such as the answer of an operator (platform L-9). */
const maxCancelMs = 2_000;

/** Returns the result of a handler that ends by itself after its run was canceled; else throws the first error. */
async function resultAfterCancel(handled: Promise<unknown>, error: unknown): Promise<unknown> {
  if (!(error instanceof Cancelled)) throw error;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(error), maxCancelMs);
  });
  return Promise.race([handled, late]).finally(() => clearTimeout(timer));
}
