import type { TSchema } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { DeclaredErrors, RunContext } from './context.ts';
import type { Erased } from './erased.ts';
import { defineOperation, type Operation } from './operation.ts';

interface RunSpec<I extends TSchema, O extends TSchema, N extends ServiceTokens> {
  /** The file's name, and the `operation_type` of its status. */
  readonly name: string;
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  readonly services?: N;
  /** The codes with which it fails, apart from those of every request. */
  readonly errors?: DeclaredErrors;
  /** The time limit of one attempt (platform L-14). */
  readonly maxSeconds: number;
  /** True if it may restart from the beginning after its worker died (platform L-12). */
  readonly restartable: boolean;
  /** Fails instead of being queued again when its worker stops, because it may have written (platform H-5, L-12). */
  readonly isNeverRepeated?: true;
  /** The most of its kind that one worker executes at once, so that others get their turn; no limit by default. */
  readonly maxConcurrent?: number;
  /** Its record is removed this long after it ended, instead of after the retention of operations. */
  readonly keptSeconds?: number;
  handle(args: { readonly input: TypeOf<I>; readonly ctx: RunContext; readonly use: Use<N> }): Promise<TypeOf<O>>;
}

/** A run with its types erased, as the kernel uses it. */
export interface Run extends Omit<RunSpec<Schema, Schema, ServiceTokens>, 'services' | 'handle'> {
  readonly kind: 'run';
  readonly services: ServiceTokens;
  handle(args: { readonly input: Erased; readonly ctx: RunContext; readonly use: Erased }): Promise<unknown>;
}

/**
 * Defines background work that routes and operations start for a user, with `operationRuns.startRun`. It has no path of
 * its own, and is followed, read and canceled like an operation.
 */
export function defineRun<I extends TSchema, O extends TSchema, const N extends ServiceTokens = Record<never, never>>(
  spec: RunSpec<I, O, N>,
): Run {
  const erased: unknown = { kind: 'run', ...spec, services: spec.services ?? {} };
  return Object.freeze(erased as Run); // The types were checked together by the signature.
}

/** The operation as which the queue executes a run; the part that starts it has checked the rights of the caller. */
export function operationOfRun(run: Run): Operation {
  const { name, summary, input, output, services, errors = {}, maxSeconds, restartable, isNeverRepeated } = run;
  return defineOperation({
    name,
    summary,
    input,
    output,
    services,
    errors,
    maxSeconds,
    restartable,
    ...(isNeverRepeated === undefined ? {} : { isNeverRepeated }),
    role: 'viewer',
    openapi: { id: name.replaceAll('-', '_'), tag: 'runs' },
    runs: 'worker',
    dedupe: false,
    handle: (args) => run.handle(args),
  });
}
