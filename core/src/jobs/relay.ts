import { sql } from 'kysely';
import type { Job } from '../define/job.ts';
import type { Kernel, LazyServices } from '../envelope/kernel.ts';
import type { KernelOutbox, KernelSchedule } from '../rows.gen.ts';
import { workChannel } from '../services/events.ts';
import { WorkLoop } from './work-loop.ts';

/** A job with the services it needs. */
export interface MountedJob {
  readonly job: Job;
  readonly use: LazyServices;
}

const maxBatch = 50;
const maxAttempts = 10;
const everyPollMs = 1_000;

/** The part of the kernel that the relay uses. */
type RelayKernel = Pick<Kernel, 'store' | 'clock' | 'log'>;

type OutboxRow = Pick<KernelOutbox, 'id' | 'graph_id' | 'topic' | 'payload' | 'attempts'>;

/** Delivers stored events to the jobs that subscribe to them, at least once, and runs scheduled jobs (platform N-12). */
export class Relay {
  readonly #kernel: RelayKernel;
  readonly #jobs: readonly MountedJob[];
  readonly #stopping = new AbortController();
  readonly #events: WorkLoop;
  /** Scheduled jobs have a separate loop, so that a long one does not delay events. */
  readonly #schedule: WorkLoop;
  #stopListening: (() => Promise<void>) | undefined;

  constructor(kernel: RelayKernel, jobs: readonly MountedJob[], pollMs: number = everyPollMs) {
    this.#kernel = kernel;
    this.#jobs = jobs;
    this.#events = new WorkLoop({
      look: () => this.#deliverAll(),
      onError: (error) => kernel.log.error('the relay could not look for work', { error }),
      pollMs,
    });
    this.#schedule = new WorkLoop({
      look: () => this.#runDue(),
      onError: (error) => kernel.log.error('the relay could not look for scheduled work', { error }),
      pollMs,
    });
  }

  async start(): Promise<void> {
    this.#stopListening = await this.#kernel.store.listen(workChannel, () => this.wake());
    this.#events.start();
    this.#schedule.start();
  }

  wake(): void {
    this.#events.notify();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#events.stop(), this.#schedule.stop()]);
    await this.#stopListening?.();
  }

  async #deliverAll(): Promise<void> {
    while (!this.#stopping.signal.aborted && (await this.#deliverSome()) === maxBatch);
  }

  /** Leases a row by advancing `next_at`, so that another relay takes over after a crash. */
  async #deliverSome(): Promise<number> {
    const now = this.#kernel.clock.now();
    const rows = await this.#kernel.store.transaction('kernel', (tx) =>
      tx.query(sql<OutboxRow>`
        UPDATE kernel_outbox SET attempts = attempts + 1, next_at = ${new Date(now.getTime() + 60_000)}
        WHERE id IN (SELECT id FROM kernel_outbox WHERE next_at <= ${now} AND attempts < ${maxAttempts}
          ORDER BY id LIMIT ${maxBatch} FOR UPDATE SKIP LOCKED)
        RETURNING id, graph_id, topic, payload, attempts`),
    );
    for (const row of [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      if (await this.#holdLonger(row)) await this.#deliver(row);
    }
    return rows.length;
  }

  /** Extends the lease, as earlier rows may have taken long; false if another relay has taken the row. */
  async #holdLonger(row: OutboxRow): Promise<boolean> {
    const seconds = this.#jobs.reduce((sum, { job }) => sum + (job.on?.name === row.topic ? job.maxSeconds : 0), 60);
    const until = new Date(this.#kernel.clock.now().getTime() + seconds * 1000);
    const held = await this.#kernel.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_outbox SET next_at = ${until} WHERE id = ${row.id} AND attempts = ${row.attempts}
        RETURNING 1 AS held`),
    );
    return held.length > 0;
  }

  async #deliver(row: OutboxRow): Promise<void> {
    try {
      for (const { job, use } of this.#jobs) {
        if (job.on?.name !== row.topic) continue;
        await job.handle({ payload: row.payload, graphId: row.graph_id, ctx: this.#context(job), use: use() });
      }
      await this.#kernel.store.transaction('kernel', (tx) =>
        tx.query(sql`DELETE FROM kernel_outbox WHERE id = ${row.id}`),
      );
    } catch (error) {
      const waitMs = Math.min(3_600_000, 1_000 * 2 ** row.attempts);
      this.#kernel.log.error('an event could not be delivered', { topic: row.topic, attempt: row.attempts, error });
      const next = new Date(this.#kernel.clock.now().getTime() + waitMs);
      await this.#kernel.store.transaction('kernel', (tx) =>
        tx.query(
          sql`UPDATE kernel_outbox SET next_at = ${next}, last_error = ${String(error).slice(0, 500)} WHERE id = ${row.id}`,
        ),
      );
    }
  }

  async #runDue(): Promise<void> {
    const due = await this.#dueJobs();
    for (const { job, use } of this.#jobs) {
      if (job.everySeconds === undefined || !due.has(job.name) || this.#stopping.signal.aborted) continue;
      const now = this.#kernel.clock.now();
      const next = new Date(now.getTime() + job.everySeconds * 1000);
      const mine = await this.#kernel.store.transaction('kernel', (tx) =>
        tx.query(sql<Pick<KernelSchedule, 'job'>>`
          INSERT INTO kernel_schedule (job, next_at) VALUES (${job.name}, ${next})
          ON CONFLICT (job) DO UPDATE SET next_at = EXCLUDED.next_at WHERE kernel_schedule.next_at <= ${now} RETURNING job`),
      );
      if (mine.length === 0) continue;
      await job.handle({ ctx: this.#context(job), use: use() }).catch((error: unknown) => {
        this.#kernel.log.error('a scheduled job failed', { job: job.name, error });
      });
    }
  }

  /** One read for all jobs, because nothing is due at almost every poll, and each claim is a write. */
  async #dueJobs(): Promise<ReadonlySet<string>> {
    const names = this.#jobs.flatMap(({ job }) => (job.everySeconds === undefined ? [] : [job.name]));
    const rows = await this.#kernel.store.transaction(
      'kernel',
      (tx) =>
        tx.query(sql<Pick<KernelSchedule, 'job'>>`
          SELECT job FROM unnest(${names}::text[]) AS name(job) LEFT JOIN kernel_schedule USING (job)
          WHERE next_at IS NULL OR next_at <= ${this.#kernel.clock.now()}`),
      { readOnly: true },
    );
    return new Set(rows.map(({ job }) => job));
  }

  #context(job: Job) {
    return {
      store: this.#kernel.store,
      log: this.#kernel.log,
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(job.maxSeconds * 1000)]),
      now: () => this.#kernel.clock.now(),
    };
  }
}
