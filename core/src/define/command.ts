import type { TObject } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { TypeOf } from '../schema/model.ts';
import type { Erased } from './erased.ts';
import type { JobContext } from './job.ts';

/** The context of a command. It has no caller: who runs it may read the database anyway. */
export interface CommandContext extends JobContext {
  /** Writes a line to standard output. */
  print(line: string): void;
}

/** A command of the program that runs a deployment, such as `pacioli ledger-verify` (platform X-3b). */
export interface CommandSpec<O extends TObject, N extends ServiceTokens> {
  /** The word on the command line, kebab-case. */
  readonly name: string;
  readonly summary: string;
  /** Printed below the options in the help. */
  readonly help?: string;
  /** Texts, numbers and booleans with a `description` for the help; `as_of` is written `--as-of`. */
  readonly options?: O;
  /** The options that are written without their names, in this order. */
  readonly positional?: readonly (string & keyof O['properties'])[];
  readonly services?: N;
  /** Returns the exit code, if it is not 0. A ServiceError is printed as one line, with exit code 1. */
  run(args: {
    readonly options: TypeOf<O>;
    readonly ctx: CommandContext;
    readonly use: Use<N>;
  }): Promise<number | undefined>;
}

/** A command with its types erased, as hosts use it. */
export interface Command {
  readonly kind: 'command';
  readonly name: string;
  readonly summary: string;
  readonly help?: string;
  readonly options: TObject;
  readonly positional: readonly string[];
  readonly services: ServiceTokens;
  run(args: {
    readonly options: Erased;
    readonly ctx: CommandContext;
    readonly use: Erased;
  }): Promise<number | undefined>;
}

/** Defines a command. It runs on the database of a deployment without starting its plugins. */
export function defineCommand<
  O extends TObject = TObject<Record<never, never>>,
  const N extends ServiceTokens = Record<never, never>,
>(spec: CommandSpec<O, N>): Command {
  const options = spec.options ?? { type: 'object', properties: {} };
  const { positional = [], services = {} } = spec;
  const erased: unknown = { kind: 'command', ...spec, options, positional, services };
  return Object.freeze(erased as Command); // The types were checked together by the signature.
}
