import { invalidInput } from '@pacioli/core';

/** A statement whose sizes are within the limits of graphs. */
export interface CheckedStatement {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

const maxStatementCharacters = 50_000;
const maxParameters = 100;
const maxParametersBytes = 1_000_000;
const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 300;

interface CypherBody {
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>> | null;
  readonly timeout?: number | null;
}

/** Checks the sizes that the contract leaves open; the messages name the limit. */
export function checkedStatement(body: CypherBody): CheckedStatement {
  // The text stays unchanged, so that lines and columns in errors match the caller’s.
  const { query: text } = body;
  const { length } = text.trim();
  if (length === 0) throw invalidInput('Query cannot be empty');
  if (length > maxStatementCharacters) throw invalidInput(`A query has at most ${maxStatementCharacters} characters.`);
  const parameters = body.parameters ?? {};
  const names = Object.keys(parameters);
  if (names.length > maxParameters) throw invalidInput(`A query takes at most ${maxParameters} parameters.`);
  const bad = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (bad !== undefined) throw invalidInput('The name of a parameter has letters, digits and underscores only.');
  if (Buffer.byteLength(JSON.stringify(parameters, digits)) > maxParametersBytes) {
    throw invalidInput(`Parameters take at most ${maxParametersBytes} bytes.`);
  }
  const seconds = body.timeout ?? defaultTimeoutSeconds;
  if (seconds < 1 || seconds > maxTimeoutSeconds) throw invalidInput(`timeout is 1 to ${maxTimeoutSeconds} seconds.`);
  return { text, parameters, timeoutMs: seconds * 1_000 };
}

const digits = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
