import type { ServiceTokens, Use } from '../services/token.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './context.ts';
import type { Erased } from './erased.ts';
import type { EventType } from './event.ts';

/** What a job gets: no caller, because nobody asked; it names the graph of each transaction it opens. */
export interface JobContext {
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly log: Log;
  now(): Date;
}

interface JobFacts<N extends ServiceTokens> {
  readonly name: string;
  readonly summary: string;
  readonly services?: N;
  readonly maxSeconds: number;
}

/** Background work on an event: at least once, so it must be repeatable. */
export interface EventJobSpec<T, N extends ServiceTokens> extends JobFacts<N> {
  readonly on: EventType<T>;
  handle(args: {
    readonly payload: T;
    readonly graphId: string | null;
    readonly ctx: JobContext;
    readonly use: Use<N>;
  }): Promise<void>;
}

/** Background work every so many seconds, once over all processes. */
export interface ScheduledJobSpec<N extends ServiceTokens> extends JobFacts<N> {
  readonly everySeconds: number;
  handle(args: { readonly ctx: JobContext; readonly use: Use<N> }): Promise<void>;
}

/** What the kernel sees of a job. */
export interface Job {
  readonly kind: 'job';
  readonly name: string;
  readonly summary: string;
  readonly services: ServiceTokens;
  readonly maxSeconds: number;
  readonly on?: EventType<unknown>;
  readonly everySeconds?: number;
  handle(args: Erased): Promise<void>;
}

/** Background work that the worker runs. */
export function defineJob<const N extends ServiceTokens = Record<never, never>>(spec: ScheduledJobSpec<N>): Job;
export function defineJob<T, const N extends ServiceTokens = Record<never, never>>(spec: EventJobSpec<T, N>): Job;
export function defineJob(spec: { readonly services?: ServiceTokens }): Job {
  const erased: unknown = { kind: 'job', ...spec, services: spec.services ?? {} };
  return Object.freeze(erased as Job); // The types were checked together by the signatures.
}
