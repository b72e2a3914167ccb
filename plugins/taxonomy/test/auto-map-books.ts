import { contribute, definePlugin } from '@pacioli/core';
import type { TestClient } from '@pacioli/testing';
import { expect } from 'vitest';
import { elementGuards } from '../src/index.ts';

/** Accounts with history in closed months; a test sets them. */
export const closedIds = new Set<string>();

/** Owns the domain `ledger` and reports closed months. */
export const ledgerDomain = definePlugin({
  name: 'ledger-domain',
  title: 'Owner of the domain',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'ledger',
  dependsOn: ['taxonomy'],
  contributions: [
    contribute(elementGuards, 'test-history', {
      create: () => ({
        used: async () => [],
        closedMonths: async (_tx, ids) =>
          ids.some((id) => closedIds.has(id)) ? { count: 1, first: '2025-01', last: '2025-01' } : undefined,
      }),
    }),
  ],
});

/** A graph with a chart and an empty mapping. */
export interface Books {
  readonly graphId: string;
  readonly mappingId: string;
  readonly ids: ReadonlyMap<string, string>;
}

/** An account to create. */
export type Row = readonly [code: string, name: string, trait: string, more?: object];

/** Creates a graph with a chart of these accounts. */
export async function books(user: TestClient, name: string, rows: readonly Row[]): Promise<Books> {
  const graphId = await user.createGraph(name, ['ledger']);
  const answer = await user.post(`/extensions/ledger/${graphId}/operations/create-taxonomy-block`, {
    name: 'Chart of Accounts',
    taxonomy_type: 'chart_of_accounts',
    elements: rows.map(([code, account, trait, more]) => ({
      qname: `coa:${code}`,
      code,
      name: account,
      trait,
      ...more,
    })),
    structures: [{ name: 'CoA to US GAAP Mapping', block_type: 'coa_mapping' }],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { result } = answer.body;
  const ids = result.elements.map((element: { name: string; id: string }) => [element.name, element.id]);
  return { graphId, mappingId: result.structures[0].id, ids: new Map(ids) };
}

/** Requests an auto-map run. */
export const autoMap = (client: TestClient, { graphId, mappingId }: Books) =>
  client.post(`/extensions/ledger/${graphId}/operations/auto-map-elements`, { mapping_id: mappingId });

/** The result of a run that must succeed. */
export async function mappedBy(user: TestClient, of: Books) {
  const accepted = await autoMap(user, of);
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
  const ended = await user.follow(accepted.body.operationId);
  expect(ended.body.status, JSON.stringify(ended.body)).toBe('completed');
  return ended.body.result;
}

export interface Arc {
  readonly fromElementName: string;
  readonly toElementQname: string;
  readonly confidence: number;
  readonly suggestedBy: string;
  readonly approvedBy: string | null;
}

/** The arcs of the mapping by account name. */
export async function arcsOf(user: TestClient, { graphId, mappingId }: Books): Promise<ReadonlyMap<string, Arc>> {
  const { body } = await user.graphql(
    graphId,
    `query ($id: String!) { mapping(mappingId: $id) { associations {
      fromElementName toElementQname confidence suggestedBy approvedBy } } }`,
    { id: mappingId },
  );
  expect(body.errors).toBeUndefined();
  const arcs: readonly Arc[] = body.data.mapping.associations;
  const byName = new Map(arcs.map((arc) => [arc.fromElementName, arc]));
  expect(byName.size).toBe(arcs.length); // No account is mapped twice.
  return byName;
}
