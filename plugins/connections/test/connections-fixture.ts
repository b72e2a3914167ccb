import blocks from '@pacioli/blocks';
import type { Plugin } from '@pacioli/core';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import {
  type Answer,
  type FixedClock,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import { expect } from 'vitest';
import connections from '../src/index.ts';

/** A service with connections and the owner of its graphs. */
export interface ConnectedService {
  readonly service: TestService;
  readonly clock: FixedClock;
  readonly owner: TestClient;
}

/** Any JSON from the wire. */
export type Loose = Answer['body'];

export async function startConnected(...otherPlugins: readonly Plugin[]): Promise<ConnectedService> {
  const clock = fixedClock('2026-05-02T08:00:00Z');
  const service = await startTestService({
    plugins: [taxonomy, blocks, ledger, connections, ...otherPlugins],
    aliases: { ledger: ['roboledger'] },
    clock,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
  });
  return { service, clock, owner: await service.newUser('Ann') };
}

/** A graph with a calendar and helpers for its connections. */
export interface ConnectedGraph {
  readonly graph: string;
  readonly path: string;
  readonly register: (source: string, more?: object) => Promise<Answer>;
  readonly list: () => Promise<Loose>;
  readonly payout: (source: string, externalId: string, more?: object) => object;
  readonly send: (source: string, externalId: string, more?: object) => Promise<Answer>;
  readonly events: () => Promise<readonly Loose[]>;
}

export async function openGraph(owner: TestClient, name: string): Promise<ConnectedGraph> {
  const graph = await owner.createGraph(name, ['roboledger']);
  const path = `/v1/graphs/${graph}/connections`;
  const operations = `/extensions/roboledger/${graph}/operations`;
  const calendar = { closed_through: '2026-03', earliest_data_period: '2026-01' };
  expect((await owner.post(`${operations}/initialize`, calendar)).status).toBe(200);
  const payout: ConnectedGraph['payout'] = (source, externalId, more = {}) => ({
    event_type: 'payout_settled',
    event_category: 'sales',
    occurred_at: '2026-04-28T00:00:00Z',
    source,
    external_id: externalId,
    amount: 98_500,
    ...more,
  });
  return {
    graph,
    path,
    payout,
    register: (source, more = {}) =>
      owner.post(path, { provider: 'external', external_config: { source_name: source, ...more } }),
    list: async () => (await owner.get(path)).body,
    send: (source, externalId, more = {}) =>
      owner.post(`${operations}/create-event-block`, payout(source, externalId, more)),
    events: async () => {
      const { body } = await owner.graphql(graph, '{ eventBlocks(limit: 100) { id source externalId status } }');
      expect(body.errors).toBeUndefined();
      return body.data.eventBlocks;
    },
  };
}
