import { randomBytes } from 'node:crypto';
import { type Answer, Client, type ClientWatch } from './client.ts';
import type { CaseContext, CaseGraph, RegisteredUser, Tenants } from './define-case.ts';
import {
  CaseFailure,
  CaseSkipped,
  expectBody,
  expectError,
  expectHeader,
  expectStatus,
  expectThat,
  skip,
  textAt,
  valueAt,
} from './expectations.ts';
import { listOf, objectOf } from './json.ts';
import type { Served } from './served.ts';

const maxFollowMs = 120_000;
const pollMs = 50;
/** Accepted by the strictest policy (platform A-24); the users exist for one run. */
const password = 'Harbour-Lantern-42';
const ended = ['completed', 'failed', 'cancelled', 'awaiting_input'];

/** The resources that all cases of a run share: the deployment, the run's own user, two tenants. */
export class RunResources {
  readonly url: string;
  readonly served: Served;
  readonly anonymous: Client;
  readonly #key: string | undefined;
  #user: Promise<Client> | undefined;
  #tenants: Promise<Tenants> | undefined;

  constructor(url: string, served: Served, key?: string, watch?: ClientWatch) {
    this.url = url;
    this.served = served;
    this.#key = key;
    this.anonymous = new Client(url, {}, watch);
  }

  /** Creates the context of one case, with its own graph. */
  newCaseContext(): CaseContext {
    return {
      url: this.url,
      anonymous: this.anonymous,
      served: this.served,
      user: () => this.user(),
      newUser: () => this.newUser(),
      tenants: () => this.tenants(),
      graph: this.#newCaseGraph(),
      expectThat,
      expectStatus,
      expectError,
      expectBody,
      expectHeader,
      skip,
    };
  }

  user(): Promise<Client> {
    this.#user ??=
      this.#key === undefined
        ? this.newUser().then(({ client }) => client)
        : Promise.resolve(this.anonymous.withHeaders({ 'x-api-key': this.#key }));
    return this.#user;
  }

  async newUser(): Promise<RegisteredUser> {
    const email = `conformance-${randomBytes(8).toString('hex')}@example.org`;
    const answer = await this.anonymous.post('/v1/auth/register', { name: 'Conformance', email, password });
    if (answer.status === 503) throw new CaseSkipped('registration is closed');
    expectStatus(201, answer);
    const token = textAt(answer, 'token');
    return { email, password, token, client: this.anonymous.withHeaders({ authorization: `Bearer ${token}` }) };
  }

  tenants(): Promise<Tenants> {
    this.#tenants ??= this.#makeTenants();
    return this.#tenants;
  }

  async #makeTenants(): Promise<Tenants> {
    const [owner, stranger] = [await this.newUser(), await this.newUser()];
    const me = await owner.client.get('/v1/user');
    const orgs = await owner.client.get('/v1/orgs');
    const graphId = await createGraph(owner.client);
    return { owner, stranger, userId: textAt(me, 'id'), orgId: textAt(orgs, 'orgs.0.id'), graphId };
  }

  #newCaseGraph(): CaseGraph {
    let made: Promise<{ readonly id: string; readonly owner: Client }> | undefined;
    const own = (): Promise<{ readonly id: string; readonly owner: Client }> => {
      made ??= this.#graphOwner().then(async (owner) => ({ id: await createGraph(owner), owner }));
      return made;
    };
    const send = async (name: string, input: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> => {
      const path = this.served.pathOf(name);
      if (path === undefined) throw new CaseSkipped(`the operation ${name} is not part of this deployment`);
      const { id, owner } = await own();
      return owner.post(path.replace('{graph_id}', id), input, headers);
    };
    return {
      id: async () => (await own()).id,
      owner: async () => (await own()).owner,
      tryOperation: (name, input = {}, headers = {}) => send(name, input, headers),
      operation: async (name, input = {}) => {
        const answer = await send(name, input, {});
        expectStatus([200, 202], answer);
        return answer;
      },
      graphql: async (query, variables = {}) => {
        const { id, owner } = await own();
        return owner.graphql(id, query, variables);
      },
    };
  }

  /** A separate user for each graph, because the graphs of an organization are limited. */
  #graphOwner(): Promise<Client> {
    return this.#key === undefined ? this.newUser().then(({ client }) => client) : this.user();
  }
}

/** Creates a graph with every domain of the deployment and waits for it. Returns its id. */
export async function createGraph(client: Client): Promise<string> {
  const offered = await client.get('/v1/graphs/extensions');
  const extensions = listOf(valueAt(offered, 'extensions')).map((extension) => objectOf(extension)['name']);
  const accepted = await client.post('/v1/graphs', graphRequest('Conformance', extensions));
  expectStatus(202, accepted);
  const status = await followOperation(client, textAt(accepted, 'operationId'));
  if (valueAt(status, 'status') !== 'completed')
    throw new CaseFailure(`The graph was not created: ${JSON.stringify(status.body)}`);
  return textAt(status, 'result.graph_id');
}

export function graphRequest(name: string, extensions: readonly unknown[] = []): unknown {
  return {
    metadata: { graph_name: name, schema_extensions: extensions },
    initial_entity: { name, uri: 'https://example.org/conformance' },
  };
}

/** Follows an operation until it ends or waits for input, and returns its last status. */
export async function followOperation(client: Client, operationId: string): Promise<Answer> {
  const deadline = Date.now() + maxFollowMs;
  for (;;) {
    const answer = await client.get(`/v1/operations/${operationId}/status`);
    expectStatus(200, answer);
    if (ended.includes(String(valueAt(answer, 'status')))) return answer;
    if (Date.now() > deadline)
      throw new CaseFailure(`The operation ${operationId} did not end in ${maxFollowMs / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
