import { type Contribution, definePlugin, kernel, type Plugin, type Transaction, type Use } from '@pacioli/core';
import taxonomy, { library } from '@pacioli/taxonomy';
import {
  type Answer,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import blocks, { blockEnvelopes, factStore, type NewFact, ruleEngine, ruleStore } from '../src/index.ts';

const services = { store: kernel.store, library, factStore, ruleStore, ruleEngine, blockEnvelopes };

/** The services of a started deployment, as a plugin sees them. */
export type BlockServices = Use<typeof services>;

/** A service in which a plugin of the test owns the domain `ledger`. */
export interface BlocksService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly use: BlockServices;
  inGraph<T>(graphId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Starts the plugin with the contributions and additional plugins of a test. */
export async function startBlocks(
  contributions: readonly Contribution[] = [],
  otherPlugins: readonly Plugin[] = [],
): Promise<BlocksService> {
  let use: BlockServices | undefined;
  const owner: Plugin = definePlugin({
    name: 'books',
    title: 'Owner of the domain',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['blocks', 'taxonomy'],
    domain: 'ledger',
    contributions,
    services,
    start: async (given) => {
      use = given.use;
    },
  });
  const clock = fixedClock('2026-05-04T12:00:00Z');
  const service = await startTestService({
    plugins: [owner, taxonomy, blocks, ...otherPlugins],
    clock,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
  });
  if (use === undefined) throw new Error('The plugin of the test was not started.');
  const { store } = use;
  const inGraph: BlocksService['inGraph'] = (graphId, work) => store.transaction({ graphId }, work);
  return { service, user: await service.newUser('Ada'), clock, use, inGraph };
}

/** Any JSON from the wire. */
export type Loose = Answer['body'];

/** A graph with helper calls for tests. */
export interface BlockGraph {
  readonly id: string;
  readonly operation: (name: string, body: unknown, client?: TestClient) => Promise<Answer>;
  readonly query: (text: string) => Promise<Loose>;
  /** The error code of a refused query. */
  readonly refusal: (text: string) => Promise<string>;
}

export async function openGraph({ user }: Pick<BlocksService, 'user'>): Promise<BlockGraph> {
  const id = await user.createGraph('Blocks', ['ledger']);
  return {
    id,
    operation: (name, body, client = user) => client.post(`/extensions/ledger/${id}/operations/${name}`, body),
    query: async (text) => {
      const answer = await user.graphql(id, text);
      if (answer.body.errors !== undefined) throw new Error(JSON.stringify(answer.body.errors));
      return answer.body.data;
    },
    refusal: async (text) => (await user.graphql(id, text)).body.errors[0].extensions.code,
  };
}

/** The id of a shipped structure by its key, such as `BS-classified`. */
export function structureId({ use }: Pick<BlocksService, 'use'>, key: string): string {
  const found = use.library.structureByKey(key);
  if (found === undefined) throw new Error(`The library has no structure ${key}.`);
  return found.id;
}

/** The id of a shipped concept by its local name. */
export function conceptId({ use }: Pick<BlocksService, 'use'>, name: string): string {
  const found = use.library.elementByQname(`rs-gaap:${name}`);
  if (found === undefined) throw new Error(`The library has no concept ${name}.`);
  return found.id;
}

/** The first and last day of a month given as `YYYY-MM`. */
export function monthOf(month: string): { readonly start: string; readonly end: string } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { start: `${month}-01`, end: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

/** Balances of concepts at the end of a month, as a close writes them. */
export function balances(
  service: Pick<BlocksService, 'use'>,
  month: string,
  values: Readonly<Record<string, string>>,
): readonly NewFact[] {
  const { start, end } = monthOf(month);
  return Object.entries(values).map(([name, value]) => ({
    elementId: conceptId(service, name),
    periodStart: start,
    periodEnd: end,
    periodType: 'instant',
    value,
    unit: 'USD',
    decimals: '2',
  }));
}

/** Writes one month of a structure, for actuals or for a scenario. */
export async function writeMonth(
  { use }: Pick<BlocksService, 'use'>,
  tx: Transaction,
  set: {
    readonly structureId: string;
    readonly month: string;
    readonly facts: readonly NewFact[];
    readonly reportId?: string;
    readonly scenarioId?: string;
    readonly now?: Date;
  },
): Promise<string> {
  const now = set.now ?? new Date('2026-05-04T12:00:00Z');
  const { start, end } = monthOf(set.month);
  const setId = await use.factStore.createSet(tx, {
    structureId: set.structureId,
    entityId: 'ent_1',
    periodStart: start,
    periodEnd: end,
    factsetType: 'report',
    reportId: set.reportId ?? null,
    scenarioId: set.scenarioId ?? null,
    provenance: { origin: 'pivot', mapping_id: 'struct_map' },
    createdBy: 'user_1',
    now,
  });
  await use.factStore.addFacts(tx, setId, set.facts, now);
  return setId;
}

/** Counts the statements that the work sends. */
export async function statementsOf(tx: Transaction, work: (counted: Transaction) => Promise<unknown>): Promise<number> {
  let statements = 0;
  await work({
    scope: tx.scope,
    get graphId() {
      return tx.graphId;
    },
    tables: () => tx.tables(),
    stream: (statement, rowsPerBatch) => tx.stream(statement, rowsPerBatch),
    queryAtEnd: (statement) => tx.queryAtEnd(statement),
    query: (statement) => {
      statements += 1;
      return tx.query(statement);
    },
  });
  return statements;
}
