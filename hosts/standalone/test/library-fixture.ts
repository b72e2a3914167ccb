import { type Store, sql } from '@pacioli/core';
import type { TestClient } from '@pacioli/testing';
import { expect } from 'vitest';

export const timeout = 300_000;
export const cash = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';
export const gone = 'rs-gaap:Gone';
export const standard = { framework: 'rs-gaap@v1', overrides: {} };

/** Creates a graph of the user whose only account is mapped to cash. */
export async function mapOneAccount(user: TestClient): Promise<string> {
  const graph = await user.createGraph('Books', ['roboledger']);
  const made = await user.post(`/extensions/ledger/${graph}/operations/create-taxonomy-block`, {
    taxonomy_type: 'chart_of_accounts',
    name: 'Chart',
    elements: [{ qname: 'coa:Cash', name: 'Cash', trait: 'asset', code: '1000' }],
    structures: [{ name: 'Mapping', block_type: 'coa_mapping' }],
    associations: [{ structure_ref: 'Mapping', from_ref: 'coa:Cash', to_ref: cash, association_type: 'mapping' }],
  });
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  return graph;
}

/** Runs the work on a library as of an earlier release: another hash, another weight, an additional concept. */
export async function onEarlierLibrary(store: Store, work: () => Promise<void>): Promise<void> {
  const hash = await storedHash(store);
  const turn = (to: string) =>
    store.transaction({ graphId: 'library' }, async (tx) => {
      await tx.query(sql`update taxonomy_library_version set content_hash = ${to} where graph_id = 'library'`);
      // Applied twice it restores the weight.
      await tx.query(sql`update taxonomy_association a set weight = -coalesce(weight, 1)
        from taxonomy_element e where a.graph_id = 'library' and a.association_type = 'calculation'
          and e.graph_id = 'library' and e.id = a.to_element_id and e.qname = ${cash}`);
      await tx.query(sql`delete from taxonomy_element where graph_id = 'library' and id = 'gone'`);
      if (to === hash) return;
      await tx.query(sql`insert into taxonomy_element
        select (jsonb_populate_record(e, '{"id": "gone", "qname": "rs-gaap:Gone"}')).* from taxonomy_element e
        where graph_id = 'library' and qname = 'rs-gaap:Goodwill'`);
    });
  await turn('earlier');
  try {
    await work();
  } finally {
    await turn(hash);
  }
}

export async function storedHash(store: Store): Promise<string> {
  const [row] = await store.transaction({ graphId: 'library' }, (tx) =>
    tx.query(sql<{ content_hash: string }>`select content_hash from taxonomy_library_version`),
  );
  return row?.content_hash ?? 'none';
}

/** Sets the pin of a graph as a release with another edition would have, or removes it. */
export async function pinBehindItsBack(store: Store, graphId: string, framework: string | null): Promise<void> {
  await store.transaction({ graphId }, (tx) =>
    tx.query(sql`insert into taxonomy_view (graph_id, framework, overrides, updated_by, updated_at)
      values (${graphId}, ${framework}, '{}', 'operator', now())
      on conflict (graph_id) do update set framework = excluded.framework, overrides = '{}'`),
  );
}
