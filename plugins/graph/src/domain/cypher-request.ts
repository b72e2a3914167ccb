import { invalidInput } from '@pacioli/core';

/** A statement whose sizes are within the limits of graphs. */
export interface CheckedStatement {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeout_ms: number;
}

const statement_characters_max = 50_000;
const parameters_max = 100;
const parameters_bytes_max = 1_000_000;
const timeout_seconds_default = 60;
const timeout_seconds_max = 300;

interface CypherBody {
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>> | null;
  readonly timeout?: number | null;
}

/** Checks what the contract leaves open; the messages name the limit. */
export function checkedStatement(body: CypherBody): CheckedStatement {
  // The text stays as it was written, so that lines and columns of an error are those of the caller.
  const { query: text } = body;
  const { length } = text.trim();
  if (length === 0) throw invalidInput('Query cannot be empty');
  if (length > statement_characters_max)
    throw invalidInput(`A query has at most ${statement_characters_max} characters.`);
  const parameters = body.parameters ?? {};
  const names = Object.keys(parameters);
  if (names.length > parameters_max) throw invalidInput(`A query takes at most ${parameters_max} parameters.`);
  const bad = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (bad !== undefined) throw invalidInput('The name of a parameter has letters, digits and underscores only.');
  if (Buffer.byteLength(JSON.stringify(parameters, digits)) > parameters_bytes_max) {
    throw invalidInput(`Parameters take at most ${parameters_bytes_max} bytes.`);
  }
  const seconds = body.timeout ?? timeout_seconds_default;
  if (seconds < 1 || seconds > timeout_seconds_max)
    throw invalidInput(`timeout is 1 to ${timeout_seconds_max} seconds.`);
  return { text, parameters, timeout_ms: seconds * 1_000 };
}

const digits = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
