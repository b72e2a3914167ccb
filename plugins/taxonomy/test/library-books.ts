import { definePlugin } from '@pacioli/core';
import { type Answer, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { expect } from 'vitest';
import taxonomy from '../src/index.ts';

const ledgerDomain = definePlugin({
  name: 'ledger-domain',
  title: 'Owner of the domain',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'ledger',
});
export const cashName = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';

/** A graph with one account that is mapped to cash, and reads of it and of graph `library`. */
export interface LibraryBooks {
  readonly service: TestService;
  readonly user: TestClient;
  readonly graphId: string;
  readonly mappingId: string;
  readonly cashAccountId: string;
  readonly cashId: string;
  readonly gaapId: string;
  readonly facId: string;
  readonly readOf: (graph: string, query: string, variables?: Record<string, unknown>) => Promise<Answer['body']>;
  /** Reads on the tenant graph and on graph `library`. */
  readonly readBoth: (query: string, variables?: Record<string, unknown>) => Promise<readonly Answer['body'][]>;
}

export async function openLibraryBooks(): Promise<LibraryBooks> {
  const service = await startTestService({ plugins: [ledgerDomain, taxonomy] });
  const user = await service.newUser('Ada');
  const graphId = await user.createGraph('Books', ['ledger']);
  const readOf: LibraryBooks['readOf'] = async (graph, query, variables = {}) => {
    const { body } = await user.graphql(graph, query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const operation = (name: string, body: unknown) =>
    user.post(`/extensions/ledger/${graphId}/operations/${name}`, body);
  const made = await operation('create-taxonomy-block', {
    name: 'Chart of Accounts',
    taxonomy_type: 'chart_of_accounts',
    elements: [{ qname: 'coa:1000', code: '1000', name: 'Cash', trait: 'asset' }],
    structures: [{ name: 'CoA to US GAAP Mapping', block_type: 'coa_mapping' }],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const mappingId: string = made.body.result.structures[0].id;
  const cashAccountId: string = made.body.result.elements[0].id;
  const ids = await readOf(
    'library',
    `{ libraryElement(qname: "${cashName}") { id } gaap: libraryTaxonomy(standard: "rs-gaap") { id }
       fac: libraryTaxonomy(standard: "fac", version: "v1") { id } }`,
  );
  const cashId: string = ids.libraryElement.id;
  const mapped = await operation('create-mapping-association', {
    mapping_id: mappingId,
    from_element_id: cashAccountId,
    to_element_id: cashId,
  });
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
  return {
    service,
    user,
    graphId,
    mappingId,
    cashAccountId,
    cashId,
    gaapId: ids.gaap.id,
    facId: ids.fac.id,
    readOf,
    readBoth: (query, variables = {}) =>
      Promise.all([graphId, 'library'].map((graph) => readOf(graph, query, variables))),
  };
}
