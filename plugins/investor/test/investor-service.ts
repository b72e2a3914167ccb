import blocks from '@pacioli/blocks';
import type { Plugin } from '@pacioli/core';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import {
  type Answer,
  type FixedClock,
  fixedClock,
  startTestService,
  type TableDigests,
  type TestClient,
  type TestService,
  type TestServiceOptions,
  tableDigests,
  teamSettings,
} from '@pacioli/testing';
import { expect } from 'vitest';
import investor from '../src/index.ts';
import { sharing } from './sharing-plugin.ts';

/** Any JSON from the wire. */
export type Loose = Answer['body'];

/** A service with portfolios and the owner of its graphs. */
export interface InvestorService {
  readonly service: TestService;
  readonly clock: FixedClock;
  readonly owner: TestClient;
  /** Digests of all rows of graphs, to prove that a refusal changed nothing. */
  readonly digests: (...graphIds: readonly string[]) => Promise<readonly TableDigests[]>;
}

interface Options extends Pick<TestServiceOptions, 'log'> {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly others?: readonly Plugin[];
}

export async function startInvestor({ settings = {}, others = [], log }: Options = {}): Promise<InvestorService> {
  const clock = fixedClock('2026-05-02T08:00:00Z');
  const service = await startTestService({
    plugins: [taxonomy, blocks, ledger, investor.with(settings), sharing, ...others],
    aliases: { ledger: ['roboledger'], investor: ['roboinvestor'] },
    clock,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
    ...(log === undefined ? {} : { log }),
  });
  const digests: InvestorService['digests'] = (...graphIds) =>
    Promise.all(graphIds.map((id) => tableDigests(service.store, id)));
  return { service, clock, owner: await service.newUser('Ann'), digests };
}

/** A graph of an investor without books, and helpers for its holdings. */
export interface Fund {
  readonly graph: string;
  readonly operation: (name: string, body: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** The result of an operation that succeeds. */
  readonly run: (name: string, body: object) => Promise<Loose>;
  readonly query: (text: string) => Promise<Loose>;
  /** The id of a new security. */
  readonly security: (name: string, more?: object) => Promise<string>;
  /** The entity of an issuer that shares a report into the graph. */
  readonly share: (sourceGraphId: string, name: string, cik?: string) => Promise<string>;
  /** Everything that the reads of the domain show. */
  readonly all: () => Promise<Loose>;
}

export async function openFund(
  client: TestClient,
  extensions: readonly string[] = ['roboinvestor'],
  name = 'Harbour Fund',
): Promise<Fund> {
  return fundOf(client, await client.createGraph(name, extensions));
}

/** The helpers of a fund for another caller or graph. */
export function fundOf(client: TestClient, graph: string): Fund {
  const operation: Fund['operation'] = (name, body, headers = {}) =>
    client.post(`/extensions/roboinvestor/${graph}/operations/${name}`, body, headers);
  const run: Fund['run'] = async (name, body) => {
    const answer = await operation(name, body);
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    return answer.body.result;
  };
  const query: Fund['query'] = async (text) => {
    const { body } = await client.graphql(graph, text);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  return {
    graph,
    operation,
    run,
    query,
    security: async (securityName, more = {}) =>
      (await run('create-security', { name: securityName, security_type: 'common_stock', ...more })).id,
    share: async (sourceGraphId, issuer, cik) =>
      (
        await run('receive-share', {
          source_graph_id: sourceGraphId,
          name: issuer,
          ...(cik === undefined ? {} : { cik }),
        })
      ).entity_id,
    all: () => query(everything),
  };
}

const everything = `{
  securities(limit: 1000) { securities { id entityId sourceGraphId name securityType securitySubtype terms isActive
    authorizedShares outstandingShares updatedAt } pagination { total } }
  portfolios(limit: 1000) { portfolios { id name description strategy inceptionDate baseCurrency updatedAt } }
  positions(limit: 1000) { positions { id portfolioId securityId quantity quantityType costBasis currency currentValue
    valuationDate valuationSource acquisitionDate dispositionDate status notes updatedAt } }
}`;
