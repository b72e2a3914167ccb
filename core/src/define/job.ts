import type { ServiceTokens, Use } from '../container/token.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './context.ts';
import type { Erased } from './erased.ts';
import type { EventType } from './event.ts';

/** The context of a job. It has no caller, and names the graph of each transaction it opens. */
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

/** Background work for an event, executed at least once, so it must be idempotent. */
export interface EventJobSpec<T, N extends ServiceTokens> extends JobFacts<N> {
  readonly on: EventType<T>;
  handle(args: {
    readonly payload: T;
    readonly graphId: string | null;
    readonly ctx: JobContext;
    readonly use: Use<N>;
  }): Promise<void>;
}

/** Background work at a fixed interval, once across all processes. */
export interface ScheduledJobSpec<N extends ServiceTokens> extends JobFacts<N> {
  readonly everySeconds: number;
  handle(args: { readonly ctx: JobContext; readonly use: Use<N> }): Promise<void>;
}

/** A job with its types erased, as the kernel uses it. */
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

/** Defines background work for the worker. */
export function defineJob<const N extends ServiceTokens = Record<never, never>>(spec: ScheduledJobSpec<N>): Job;
export function defineJob<T, const N extends ServiceTokens = Record<never, never>>(spec: EventJobSpec<T, N>): Job;
export function defineJob(spec: { readonly services?: ServiceTokens }): Job {
  const erased: unknown = { kind: 'job', ...spec, services: spec.services ?? {} };
  return Object.freeze(erased as Job); // The types were checked together by the signatures.
}
