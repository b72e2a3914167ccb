import type { GraphStoreErrorCode, LoadReject } from '@pacioli/core/ports';
import type { Failure } from '../protocol.ts';

/** Thrown inside the worker where the cause is known; everything else is read from the engine's text. */
export class WorkerFailure extends Error {
  readonly code: GraphStoreErrorCode;
  readonly rejects: readonly LoadReject[];

  constructor(code: GraphStoreErrorCode, message: string, rejects: readonly LoadReject[] = []) {
    super(message);
    this.code = code;
    this.rejects = rejects;
  }
}

/** The only place that reads the engine's error texts (graphs E-2). The first pattern that fits decides. */
const engineTexts: readonly (readonly [RegExp, GraphStoreErrorCode])[] = [
  [/Interrupted/i, 'timeout'],
  [/do not support prepare multiple statements/i, 'syntax'],
  [/^Parser exception/i, 'syntax'],
  [/^Parameter .* not found/i, 'parameter'],
  [/read-only mode|read only (transaction|database)|Cannot execute write operations/i, 'read-only'],
  [/vector with ANY type/i, 'parameter'],
  [/^Binder exception/i, 'bind'],
  [/^Catalog exception/i, 'catalog'],
  [/buffer (manager|pool)|Unable to allocate|out of memory|bad_alloc/i, 'memory'],
  [/^(Runtime|Conversion|Overflow) exception/i, 'runtime'],
];

/** What crosses to the parent. Texts that name files stay here (graphs I-6). */
export function failureOf(error: unknown): Failure {
  if (error instanceof WorkerFailure) return { code: error.code, message: error.message, rejects: error.rejects };
  const message = error instanceof Error ? error.message : String(error);
  const known = engineTexts.find(([pattern]) => pattern.test(message));
  if (known === undefined) return { code: 'engine', message: withoutPaths(message) };
  return { code: known[1], message: withoutPaths(message) };
}

function withoutPaths(message: string): string {
  return message.replaceAll(/(?:[A-Za-z]:)?[\\/](?:[\w.@+-]+[\\/])+[\w.@+-]*/g, '<file>');
}
