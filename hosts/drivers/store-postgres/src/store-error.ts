import { StoreError } from '@pacioli/core/ports';

type Code = StoreError['code'];

const bySqlState: Readonly<Record<string, readonly [Code, string]>> = {
  '57014': ['statement-timeout', 'The statement was stopped at its time limit. Request less data at once.'],
  '55P03': ['lock-timeout', 'A row or table stayed locked for too long. Try again.'],
  '40001': ['serialization', 'Another transaction changed the same rows. Run the transaction again.'],
  '40P01': ['serialization', 'Two transactions waited for each other. Run the transaction again.'],
  '23505': ['unique', 'A row with the same key already exists.'],
  '23514': ['check', 'A value is outside what its column or table allows.'],
  '22021': ['value', 'A text contains a character that cannot be stored.'],
  '22P05': ['value', 'A text contains a character that cannot be stored.'],
  '22007': ['value', 'A date or time cannot be read.'],
  '22008': ['value', 'A date or time is out of range.'],
  '22003': ['value', 'A number is out of range.'],
  '23503': ['foreign-key', 'A row refers to another one that does not exist, or is still referred to.'],
};

const unreachableSqlStates: ReadonlyMap<string, string> = new Map([
  ['28P01', 'The database refused the password. Check the user and password of the database URL.'],
  ['28000', 'The database refused the user. Check the user of the database URL and the rules for hosts of the server.'],
  ['3D000', 'The database of the URL does not exist. Create it, or correct the URL.'],
  ['53300', 'The database has no free connection. Lower maxConnections, or raise max_connections of the server.'],
  ['57P01', 'The database is shutting down. Try again when it is up.'],
  ['57P02', 'The database is restarting after a crash. Try again.'],
  ['57P03', 'The database is starting up. Try again.'],
]);

const unreachableSystemCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
]);

const noAnswer = 'The database does not respond. Check that it is running and that the database URL is correct.';
const queueFull =
  'No connection became free in time. Raise maxConnections, shorten transactions, and never open one inside another.';

/** Converts errors of the client library to a StoreError; returns unclassified ones unchanged. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const code = textField(error, 'code');
  const known = code === undefined ? undefined : bySqlState[code];
  if (known !== undefined) {
    const constraint = textField(error, 'constraint');
    const suffix = constraint === undefined ? '' : ` (${constraint})`;
    return new StoreError(known[0], `${known[1]}${suffix}`, { cause: error, constraint });
  }
  if (isStalePlan(error)) {
    return new StoreError('serialization', 'The tables were changed by a newer version. Run the transaction again.', {
      cause: error,
    });
  }
  if (error.message === 'timeout exceeded when trying to connect')
    return new StoreError('busy', queueFull, { cause: error });
  const unreachable = unreachableMessage(error, code);
  if (unreachable !== undefined) return new StoreError('unreachable', unreachable, { cause: error });
  if (isRoleMissing(error)) {
    return new StoreError('migration', 'The database has not been prepared. Run the migrations first.', {
      cause: error,
    });
  }
  return error;
}

function unreachableMessage(error: Error, code: string | undefined): string | undefined {
  if (code !== undefined) {
    const known = unreachableSqlStates.get(code);
    if (known !== undefined) return known;
    if (unreachableSystemCodes.has(code) || code.startsWith('08')) return noAnswer;
  }
  // pg reports a lost connection by this text only.
  if (/^Connection terminated|^Client has encountered a connection error/.test(error.message)) return noAnswer;
  return undefined;
}

/** True when a migration changed the columns of a prepared statement; a new session must prepare it again. */
export function isStalePlan(error: unknown): boolean {
  if (error instanceof StoreError) return isStalePlan(error.cause);
  return error instanceof Error && /^cached plan must not change result type/.test(error.message);
}

function isRoleMissing(error: Error): boolean {
  return textField(error, 'code') === '22023' && /role "pacioli_app" does not exist/.test(error.message);
}

function textField(error: Error, field: 'code' | 'constraint'): string | undefined {
  // Errors of pg and of Node carry these fields without a common type.
  const value = (error as unknown as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : undefined;
}
