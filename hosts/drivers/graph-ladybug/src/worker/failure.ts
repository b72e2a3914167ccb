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

/** The engine's refusal of a statement, with the statement as it was given. */
export class StatementRefused extends Error {
  readonly statement: string;

  constructor(engineText: string, statement: string) {
    super(engineText);
    this.statement = statement;
  }
}

interface Known {
  readonly code: GraphStoreErrorCode;
  /** The sentence for callers; without one, what the engine says of the statement is passed on. */
  readonly message?: string;
}

/** The only place that reads the engine's error texts (graphs E-2). The first pattern that fits decides. */
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
  // The engine found itself in a state that it takes for impossible. Its other sentences quote names and texts of the
  // caller, so only the forms of its own count.
  [/^Assertion failed|This should not happen\.$|^Copy exception: \/[\w./-]+\.cpp\b/, engineFailure()],
  [/^Binder exception/i, { code: 'bind' }],
  [/^Catalog exception/i, { code: 'catalog' }],
  [
    /buffer (manager|pool)|Unable to allocate|out of memory|bad_alloc/i,
    { code: 'memory', message: 'The query needs more memory than is allowed here: ask for less at once.' },
  ],
  [/^(Runtime|Overflow) exception/i, { code: 'runtime' }],
];

function engineFailure(): Known {
  return { code: 'engine', message: 'The graph engine failed on this request.' };
}

/** Crosses to the parent. The engine's own text goes along for the log where callers get another one (graphs I-6). */
export function failureOf(error: unknown): Failure {
  if (error instanceof WorkerFailure) return { code: error.code, message: error.message, rejects: error.rejects };
  const text = error instanceof Error ? error.message : String(error);
  const [, known] = engineTexts.find(([pattern]) => pattern.test(text)) ?? [undefined, engineFailure()];
  const statement = error instanceof StatementRefused ? error.statement : '';
  return { code: known.code, message: known.message ?? ofStatement(text, statement), detail: text };
}

/** Words the engine's message about a statement for callers, without names of its grammar and of files. */
function ofStatement(text: string, statement: string): string {
  const [, line, offset, quote = ''] = /\(line: (\d+), offset: (\d+)\)\n([\s\S]*)$/.exec(text) ?? [];
  // The engine goes on with every form of the function that it has, in its own names of types.
  if (line === undefined)
    return withoutPaths(text.replace(/^\w+ exception: /, '').replace(/\s*Supported inputs are[\s\S]*$/, ''));
  // The engine counts from the first sign that is no blank.
  const before = (/^\s*/.exec(statement)?.[0] ?? '').split('\n');
  const indent = line === '1' ? (before.at(-1) ?? '') : '';
  const at = `line ${Number(line) + before.length - 1}, column ${Number(offset) + 1 + indent.length}`;
  const [quoted = '', mark = ''] = quote.split('\n');
  return `Unexpected input at ${at}:\n${quoted.replace('"', `"${indent}`)}\n${indent}${mark}`;
}

function withoutPaths(message: string): string {
  return message.replaceAll(/(?:[A-Za-z]:)?[\\/](?:[\w.@+-]+[\\/])+[\w.@+-]*/g, '<file>');
}
