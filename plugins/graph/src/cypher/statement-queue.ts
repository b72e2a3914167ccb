import { ServiceError } from '@pacioli/core';
import type { QueuedTurn } from '../tokens.ts';
import { tooManyQueries } from './query-slots.ts';

export interface StatementLimits {
  /** Statements of all graphs that run at once in this process. */
  readonly maxRunning: number;
  /** Statements of one graph that run at once; its engine refuses more. */
  readonly maxRunningPerGraph: number;
  /** Statements that wait for their turn; more are refused. */
  readonly maxWaiting: number;
}

export interface QueuedStatement extends QueuedTurn {
  readonly graphId: string;
  /** A higher one comes first (graphs C-4). */
  readonly priority: number;
  readonly signal: AbortSignal;
}

interface Waiting extends QueuedStatement {
  /** The place that was told last. */
  place: number;
  start(): void;
}

const defaultPriority = 5;
const priorityOfLargeTiers = 7;

/** Customers of the larger tiers wait less (graphs C-4). */
export const priorityOfTier = (tier: string | undefined): number =>
  tier !== undefined && /large$/.test(tier) ? priorityOfLargeTiers : defaultPriority;

/**
 * Lets statements run in turn: by priority, then graph by graph, so that one tenant cannot starve others, then in the
 * order of their arrival (graphs C-4).
 */
export class StatementQueue {
  readonly #limits: StatementLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  /** Graphs in the order in which they were last served. */
  readonly #served = new Map<string, number>();
  #total = 0;
  #started = 0;

  constructor(limits: StatementLimits) {
    this.#limits = limits;
  }

  /** Waits until the statement may run and returns a function that releases it; it may be called more than once. */
  async take(statement: QueuedStatement): Promise<() => void> {
    statement.signal.throwIfAborted();
    if (this.#isFree(statement.graphId)) this.#start(statement.graphId);
    else await this.#wait(statement);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#end(statement.graphId);
    };
  }

  #isFree(graphId: string): boolean {
    const { maxRunning, maxRunningPerGraph } = this.#limits;
    return this.#total < maxRunning && (this.#running.get(graphId) ?? 0) < maxRunningPerGraph;
  }

  #start(graphId: string): void {
    this.#total += 1;
    this.#started += 1;
    this.#running.set(graphId, (this.#running.get(graphId) ?? 0) + 1);
    this.#served.set(graphId, this.#started);
  }

  #end(graphId: string): void {
    this.#total -= 1;
    const left = (this.#running.get(graphId) ?? 1) - 1;
    if (left > 0) this.#running.set(graphId, left);
    else this.#running.delete(graphId);
    const next = this.#next();
    if (next !== undefined) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#start(next.graphId);
      next.start();
    }
    this.#tellPlaces();
    const isIdle = !this.#running.has(graphId) && !this.#waiting.some((each) => each.graphId === graphId);
    if (isIdle) this.#served.delete(graphId);
  }

  #next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const each of this.#waiting) {
      if (this.#isFree(each.graphId) && (best === undefined || this.#isBefore(each, best))) best = each;
    }
    return best;
  }

  /** Places are those of the line at this moment; a later one of a larger tier may come before. */
  #tellPlaces(): void {
    if (!this.#waiting.some(({ waiting }) => waiting !== undefined)) return;
    const line = [...this.#waiting].sort((left, right) => {
      if (this.#isBefore(left, right)) return -1;
      return this.#isBefore(right, left) ? 1 : 0; // The sort is stable, so equal ones stay in the order of arrival.
    });
    for (const [index, each] of line.entries()) {
      if (each.place === index + 1) continue;
      each.place = index + 1;
      each.waiting?.(each.place);
    }
  }

  /** Entries of one graph and priority stay in the order of their arrival, because an equal one is not before. */
  #isBefore(left: Waiting, right: Waiting): boolean {
    if (left.priority !== right.priority) return left.priority > right.priority;
    return (this.#served.get(left.graphId) ?? 0) < (this.#served.get(right.graphId) ?? 0);
  }

  async #wait(statement: QueuedStatement): Promise<void> {
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      const message = 'Too many queries are waiting. Try again in a minute.';
      throw new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', message, { headers: { 'Retry-After': '60' } });
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown): void => {
        clearTimeout(timer);
        statement.signal.removeEventListener('abort', abort);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(reason);
        this.#tellPlaces();
      };
      const abort = (): void => leave(statement.signal.reason);
      const timer = setTimeout(() => leave(statement.overdue?.() ?? tooManyQueries()), statement.maxWaitMs);
      const waiting: Waiting = {
        ...statement,
        place: 0,
        start: () => {
          clearTimeout(timer);
          statement.signal.removeEventListener('abort', abort);
          resolve();
        },
      };
      statement.signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
      this.#tellPlaces();
    });
  }
}
