import type { GraphStoreErrorCode, LoadReject } from '@pacioli/core/ports';
import { maskPaths } from '@pacioli/worker-process/worker';
import type { Failure } from '../protocol.ts';
import { dialectHint } from './dialect-hints.ts';

/** Thrown inside the worker where the cause is known; all other errors are classified by the engine's text. */
export class WorkerFailure extends Error {
  readonly code: GraphStoreErrorCode;
  readonly rejects: readonly LoadReject[];

  constructor(code: GraphStoreErrorCode, message: string, rejects: readonly LoadReject[] = []) {
    super(message);
    this.code = code;
    this.rejects = rejects;
  }
}

/** The engine's error for a statement, with the statement as received. */
export class StatementRefused extends Error {
  readonly statement: string;

  constructor(engineText: string, statement: string) {
    super(engineText);
    this.statement = statement;
  }
}

interface Known {
  readonly code: GraphStoreErrorCode;
  /** The message for callers; without one, the engine's own message is passed on. */
  readonly message?: string;
}

/** The only place that reads the engine's error texts (graphs E-2). The first matching pattern wins. */
const engineTexts: readonly (readonly [RegExp, Known])[] = [
  [/^Interrupted/i, { code: 'timeout', message: 'The query was stopped at its time limit.' }],
  [/do not support prepare multiple statements/i, { code: 'syntax', message: 'Only one statement per request.' }],
  [/^Parser exception/i, { code: 'syntax' }],
  [/^Conversion exception/i, { code: 'runtime' }],
  [/^Parameter .* not found/i, { code: 'parameter', message: 'A parameter of the statement was not given.' }],
  [
    /read-only mode|read only (transaction|database)|Cannot execute write operations/i,
    { code: 'read-only', message: 'This statement would change the graph.' },
  ],
  [
    /vector with ANY type/i,
    { code: 'bind', message: 'A list or null in the statement has no type: give it an element, or cast it.' },
  ],
  [
    /has type PARAMETER but LITERAL was expected/i,
    { code: 'bind', message: 'A procedure takes its arguments as literals: write the value instead of a parameter.' },
  ],
  // Failed internal assertions. The engine's other messages quote names and texts of the caller, so only the exact
  // forms of its own are matched.
  [/^Assertion failed|This should not happen\.$|^Copy exception: \/[\w./-]+\.cpp\b/, engineFailure()],
  [/^Binder exception/i, { code: 'bind' }],
  [/^Catalog exception/i, { code: 'catalog' }],
  [
    /buffer (manager|pool)|Unable to allocate|out of memory|bad_alloc/i,
    { code: 'memory', message: 'The query needs more memory than is allowed: request less data at once.' },
  ],
  [/^(Runtime|Overflow) exception/i, { code: 'runtime' }],
];

function engineFailure(): Known {
  return { code: 'engine', message: 'The graph engine failed on this request.' };
}

/** The error as sent to the parent. Where callers get another text, the engine's own goes to the log (graphs I-6). */
export function failureOf(error: unknown): Failure {
  if (error instanceof WorkerFailure) return { code: error.code, message: error.message, rejects: error.rejects };
  const text = error instanceof Error ? error.message : String(error);
  const [, known] = engineTexts.find(([pattern]) => pattern.test(text)) ?? [undefined, engineFailure()];
  const statement = error instanceof StatementRefused ? error.statement : '';
  if (known.message !== undefined) return { code: known.code, message: known.message, detail: text };
  const message = ofStatement(text, statement);
  const hint = dialectHint(text, statement);
  if (hint === undefined) return { code: known.code, message, detail: text };
  const end = message.includes('\n') ? '\n' : ' ';
  return { code: known.code, message: `${message.trimEnd()}${end}${hint}`, detail: text };
}

/** Rewrites the engine's message about a statement for callers, without names of its grammar or files. */
function ofStatement(text: string, statement: string): string {
  const [, line, offset, quote = ''] = /\(line: (\d+), offset: (\d+)\)\n([\s\S]*)$/.exec(text) ?? [];
  // The engine appends every overload of the function, in its own type names.
  if (line === undefined)
    return maskPaths(text.replace(/^\w+ exception: /, '').replace(/\s*Supported inputs are[\s\S]*$/, ''));
  // The engine counts from the first non-blank character.
  const before = (/^\s*/.exec(statement)?.[0] ?? '').split('\n');
  const indent = line === '1' ? (before.at(-1) ?? '') : '';
  const at = `line ${Number(line) + before.length - 1}, column ${Number(offset) + 1 + indent.length}`;
  const [quoted = '', mark = ''] = quote.split('\n');
  return `Unexpected input at ${at}:\n${quoted.replace('"', `"${indent}`)}\n${indent}${mark}`;
}
