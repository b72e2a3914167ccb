import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createToken, type Token } from '../container/token.ts';
import type { Store } from '../store/store.ts';

/** Upper bounds of the duration buckets, in seconds. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface StoredNumbers {
  readonly pending: number;
  readonly running: number;
  readonly awaiting_input: number;
  readonly outbox: number;
}

/** The event streams of this process. */
interface OpenStreams {
  readonly openCount: number;
}

/**
 * Metrics of this process and of the queue, as Prometheus text. Labels are route templates, operation names and
 * statuses, never tenant ids, so that their cardinality is bounded.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #store: Store;
  readonly #streams: OpenStreams;
  readonly #requests: Counter<'endpoint' | 'status'>;
  readonly #seconds: Histogram<'endpoint'>;
  readonly #refusals: Counter<'category'>;
  readonly #toolCalls: Counter<'tool' | 'outcome'>;
  readonly #toolSeconds: Histogram<'tool'>;
  readonly #queue: Gauge<'state'>;
  readonly #outbox: Gauge;
  readonly #openStreams: Gauge;
  #hasProcessNumbers = false;

  constructor(use: { readonly store: Store; readonly streams: OpenStreams }) {
    this.#store = use.store;
    this.#streams = use.streams;
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'pacioli_requests_total',
      help: 'Completed requests by endpoint and status.',
      labelNames: ['endpoint', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'pacioli_request_seconds',
      help: 'Duration of requests, in seconds.',
      labelNames: ['endpoint'],
      buckets: secondsBuckets,
      registers,
    });
    this.#refusals = new Counter({
      name: 'pacioli_rate_limited_total',
      help: 'Requests refused by a rate limit, by category.',
      labelNames: ['category'],
      registers,
    });
    this.#toolCalls = new Counter({
      name: 'pacioli_tool_calls_total',
      help: 'Calls of tools by AI clients and operators, by tool and outcome.',
      labelNames: ['tool', 'outcome'],
      registers,
    });
    this.#toolSeconds = new Histogram({
      name: 'pacioli_tool_seconds',
      help: 'Duration of calls of tools, in seconds.',
      labelNames: ['tool'],
      buckets: secondsBuckets,
      registers,
    });
    this.#queue = new Gauge({
      name: 'pacioli_operations',
      help: 'Operations that have not ended, by state, across all processes.',
      labelNames: ['state'],
      registers,
    });
    this.#outbox = new Gauge({
      name: 'pacioli_outbox_events',
      help: 'Stored events that are not delivered yet, across all processes.',
      registers,
    });
    this.#openStreams = new Gauge({
      name: 'pacioli_event_streams',
      help: 'Event streams that are open in this process.',
      registers,
    });
  }

  /** Counts a completed request. */
  answered(endpoint: string, status: number, milliseconds: number): void {
    this.#requests.inc({ endpoint, status: String(status) });
    this.#seconds.observe({ endpoint }, milliseconds / 1000);
  }

  /** Counts a request that a rate limit refused. */
  rateLimited(category: string): void {
    this.#refusals.inc({ category });
  }

  /** Counts a call of a tool (ai-surface M-15). `tool` is one of the deployment, never a text of a caller. */
  toolCalled(tool: string, outcome: 'success' | 'error', milliseconds: number): void {
    this.#toolCalls.inc({ tool, outcome });
    this.#toolSeconds.observe({ tool }, milliseconds / 1000);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Renders all metrics. Those from the store are omitted while it is unavailable. */
  async text(): Promise<string> {
    if (!this.#hasProcessNumbers) {
      this.#hasProcessNumbers = true;
      collectDefaultMetrics({ register: this.#registry, prefix: 'pacioli_' });
    }
    this.#openStreams.set(this.#streams.openCount);
    const stored = await this.#readStored().catch(() => undefined);
    if (stored === undefined) {
      this.#queue.reset();
      this.#outbox.reset();
    } else {
      for (const state of ['pending', 'running', 'awaiting_input'] as const) this.#queue.set({ state }, stored[state]);
      this.#outbox.set(stored.outbox);
    }
    return this.#registry.metrics();
  }

  async #readStored(): Promise<StoredNumbers | undefined> {
    const [row] = await this.#store.transaction(
      'kernel',
      (tx) =>
        tx.query(sql<StoredNumbers>`
          SELECT count(*) FILTER (WHERE status = 'pending') AS pending,
            count(*) FILTER (WHERE status = 'running') AS running,
            count(*) FILTER (WHERE status = 'awaiting_input') AS awaiting_input,
            (SELECT count(*) FROM kernel_outbox) AS outbox
          FROM kernel_operation WHERE finished_at IS NULL`),
      { readOnly: true, maxStatementMs: 2_000 },
    );
    return row;
  }
}

export const metrics: Token<Metrics> = createToken('kernel.metrics');

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** True if a caller may read the metrics: with the configured token, or from this machine if none is configured. */
export function mayReadMetrics(configured: string, caller: { readonly ip: string; readonly bearer?: string }): boolean {
  if (configured === '') return loopback.test(caller.ip);
  const given = Buffer.from(caller.bearer ?? '');
  const wanted = Buffer.from(configured);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
