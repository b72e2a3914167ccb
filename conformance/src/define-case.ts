import type { Answer, Client } from './client.ts';
import type { JsonObject } from './json.ts';
import type { Served } from './served.ts';

export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** A user that the run registered. */
export interface Person {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** Calls with the session token. */
  readonly client: Client;
}

/** A graph that a case owns. It is created at the first call, so that a case without one costs nothing. */
export interface CaseGraph {
  id(): Promise<string>;
  owner(): Promise<Client>;
  /** Calls a named operation of the graph or of one of its domains; any error fails the case. */
  operation(name: string, input?: unknown): Promise<Answer>;
  /** Like `operation`, but returns errors too. */
  tryOperation(name: string, input?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  graphql(query: string, variables?: JsonObject): Promise<Answer>;
}

/** The resources of one case. */
export interface CaseContext {
  readonly url: string;
  readonly anonymous: Client;
  readonly served: Served;
  /** The run's own user: the owner of the given key, or else a user that the run registered. */
  user(): Promise<Client>;
  /** Registers a user; skips the case where registration is closed. */
  newUser(): Promise<Person>;
  /** Two separate tenants, created once per run. */
  tenants(): Promise<Tenants>;
  readonly graph: CaseGraph;
  expectThat(condition: boolean, message: string): void;
  expectStatus(status: number | readonly number[], answer: Answer): void;
  expectError(status: number, answer: Answer, code?: string): void;
  expectBody(schema: JsonObject, answer: Answer): void;
  expectHeader(name: string, pattern: string, answer: Answer): void;
  skip(reason: string): never;
}

export interface Tenants {
  readonly owner: Person;
  readonly orgId: string;
  readonly userId: string;
  readonly graphId: string;
  readonly stranger: Person;
}

/** One check with an id that is never reused and never renumbered. */
export interface ConformanceCase {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  /** The rule that it checks. */
  readonly clause: string;
  /** Domains (`ledger`) or operations (`POST /v1/auth/refresh`) without which the case is skipped. */
  readonly requires?: readonly string[];
  run(context: CaseContext): Promise<void>;
}

const idPattern = /^[A-Z]{2,5}-[0-9]{3}( .+)?$/;

/** Declares a case. Importing it has no side effects. */
export function defineCase(spec: ConformanceCase): ConformanceCase {
  if (!idPattern.test(spec.id)) throw new Error(`"${spec.id}" is no case id; ids look like LED-017.`);
  return Object.freeze(spec);
}
