import type { Answer, Client } from './client.ts';
import type { JsonObject } from './json.ts';
import type { Served } from './served.ts';

/** The requirement level of the rule, as in RFC 2119. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** A user that the run registered in the deployment. */
export interface RegisteredUser {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** Authenticates with the session token. */
  readonly client: Client;
}

/** The graph of one case. It is created on first use, so that cases without a graph do not pay for one. */
export interface CaseGraph {
  id(): Promise<string>;
  owner(): Promise<Client>;
  /** Calls a named operation of the graph or of one of its domains. Any status except 200 and 202 fails the case. */
  operation(name: string, input?: unknown): Promise<Answer>;
  /** Like `operation`, but also returns responses with other statuses. */
  tryOperation(name: string, input?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  graphql(query: string, variables?: JsonObject): Promise<Answer>;
}

/** The resources and assertions that a case can use. Each failed assertion ends the case. */
export interface CaseContext {
  readonly url: string;
  readonly anonymous: Client;
  readonly served: Served;
  /** The user of the whole run: the owner of the API key passed to the runner, or else a registered user. */
  user(): Promise<Client>;
  /** Registers a user; skips the case if registration is closed. */
  newUser(): Promise<RegisteredUser>;
  /** Two users, one with a graph to which the other has no access; shared by all cases of the run. */
  tenants(): Promise<Tenants>;
  readonly graph: CaseGraph;
  expectThat(condition: boolean, message: string): void;
  expectStatus(status: number | readonly number[], answer: Answer): void;
  expectError(status: number, answer: Answer, code?: string): void;
  expectBody(schema: JsonObject, answer: Answer): void;
  expectHeader(name: string, pattern: string, answer: Answer): void;
  skip(reason: string): never;
}

/** Fixture of the isolation cases. `userId`, `orgId` and `graphId` belong to the owner. */
export interface Tenants {
  readonly owner: RegisteredUser;
  readonly orgId: string;
  readonly userId: string;
  readonly graphId: string;
  /** Belongs to another organization. */
  readonly stranger: RegisteredUser;
}

/** One check of a deployment. Lists of expected failures refer to its id, so an id is never reused or renumbered. */
export interface ConformanceCase {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  /** The rule of the specification that the case checks. */
  readonly clause: string;
  /** Domains (`ledger`) or operations (`POST /v1/auth/refresh`) without which the case is skipped. */
  readonly requires?: readonly string[];
  run(context: CaseContext): Promise<void>;
}

/** Generic cases append the operation: `GEN-001 GET /v1/user`. */
const idPattern = /^[A-Z]{2,5}-[0-9]{3}( .+)?$/;

/** Defines a case as data; throws if its id is malformed. */
export function defineCase(spec: ConformanceCase): ConformanceCase {
  if (!idPattern.test(spec.id)) throw new Error(`"${spec.id}" is not a case id; ids look like LED-017.`);
  return Object.freeze(spec);
}
