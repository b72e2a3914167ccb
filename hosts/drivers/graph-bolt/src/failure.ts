import { GraphStoreError, type GraphStoreErrorCode, isGraphStoreError } from '@pacioli/core/ports';
import { answerTooLarge } from './answer-limit.ts';
import { longKeyFailure } from './key-length.ts';
import { tooLongMarker, tooLongMessage } from './list-guards.ts';

interface Known {
  readonly code: GraphStoreErrorCode;
  /** The message for callers; without one, the server's own message is passed on. */
  readonly message?: string;
}

const unavailable: Known = { code: 'unavailable', message: 'The graph server does not answer: retry in a moment.' };
const readOnly: Known = { code: 'read-only', message: 'This statement would change the graph.' };
const timeout: Known = { code: 'timeout', message: 'The query was stopped at its time limit.' };
const memory: Known = {
  code: 'memory',
  message: 'The query needs more memory than is allowed: request less data at once.',
};

const tooLong: Known = { code: 'runtime', message: 'A text or list of the statement would be too long.' };

/** By the server's status code, and where one code has several meanings, by its text. The first match wins. */
const known: readonly (readonly [code: RegExp, text: RegExp, Known])[] = [
  [/./, new RegExp(answerTooLarge), { code: 'memory', message: `${answerTooLarge} Request fewer or smaller values.` }],
  [/Statement\.SyntaxError/, new RegExp(`"${tooLongMarker}"`), { code: 'runtime', message: tooLongMessage }],
  [/Statement\.SyntaxError/, /exactly one statement/, { code: 'syntax', message: 'Only one statement per request.' }],
  [/Statement\.SyntaxError/, /^Unknown function/, { code: 'catalog' }],
  [/Statement\.SyntaxError/, /cannot be parsed to a|cannot be represented as an integer/, { code: 'runtime' }],
  [/Statement\.SyntaxError/, /not defined|already (?:declared|defined)|[Tt]ype mismatch|same name/, { code: 'bind' }],
  [/Statement\.SyntaxError/, /./, { code: 'syntax' }],
  [/Statement\.SemanticError/, /Multiple graphs|graph reference/i, readOnly],
  [/Statement\.SemanticError/, /./, { code: 'bind' }],
  [/Statement\.ParameterMissing/, /./, { code: 'parameter', message: 'A parameter of the statement was not given.' }],
  [/Statement\.AccessMode|Statement\.UnsupportedAdministrationCommand|Security\.Forbidden/, /./, readOnly],
  [/Statement\.(?:TypeError|ArithmeticError|ArgumentError|PropertyNotFound|EntityNotFound)/, /./, { code: 'runtime' }],
  [/Statement\.(?:ConstraintVerificationFailed|InvalidArguments)|Schema\.ConstraintV/, /./, { code: 'runtime' }],
  [/Statement\.ExecutionFailed/, /^Cannot handle negative|^Invalid input/, { code: 'runtime' }],
  // The bare number is a length that has overflowed.
  [
    /Statement\.ExecutionFailed/,
    /^-?\d+$|NegativeArraySize|[Oo]verflow|array size exceeds|length out of range/,
    tooLong,
  ],
  [/Procedure\./, /./, { code: 'catalog' }],
  [/TransactionTimedOut|Transaction\.LockClientStopped/, /./, timeout],
  [/Transaction\.Terminated/, /./, { code: 'cancelled', message: 'The query was stopped.' }],
  [/MemoryPoolOutOfMemory|TransactionOutOfMemory|General\.OutOfMemory|StackOverFlow/i, /./, memory],
  [/ServiceUnavailable|SessionExpired|Database(?:Unavailable|NotFound)|TransientError|Security\./, /./, unavailable],
];

/**
 * Classifies an error of the server; `before` counts the characters that we put before the statement. Its own text goes to
 * the log where callers get another one (graphs E-2, I-6).
 */
export function failureOf(error: unknown, before = 0): GraphStoreError {
  if (isGraphStoreError(error)) return error as GraphStoreError;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : String(error);
  const longKey = longKeyFailure(text, error);
  if (longKey !== undefined) return longKey;
  const found = known.find(([codes, texts]) => codes.test(code) && texts.test(text))?.[2] ?? {
    code: isConnectionLost(text) ? 'unavailable' : 'engine',
    message: isConnectionLost(text) ? unavailable.message : 'The graph engine failed on this request.',
  };
  return new GraphStoreError(found.code, found.message ?? plain(text, before), { cause: error });
}

const isConnectionLost = (text: string): boolean => /connection|socket|Pool is closed|ECONNRE/i.test(text);

/** The server's message without its quote of our statement: the place first, and no path or name of a database. */
function plain(text: string, before: number): string {
  const [, sentence = text, line, column] =
    /^([\s\S]*?)\s*\(line (\d+), column (\d+) \(offset: \d+\)\)/.exec(text) ?? [];
  const message = sentence.replaceAll(/(?:[A-Za-z]:)?[\\/](?:[\w.@+-]+[\\/])+[\w.@+-]*/g, '<file>');
  if (line === undefined || column === undefined) return message;
  return `${message} (line ${line}, column ${Number(column) - (line === '1' ? before : 0)})`;
}
