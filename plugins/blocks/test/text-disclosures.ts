import { sql } from '@pacioli/core';
import type { Answer, TestClient } from '@pacioli/testing';
import { type BlockGraph, type BlocksService, type Loose, openGraph } from './blocks-service.ts';
import { writeDocument } from './documents-plugin.ts';

/** A document with two sections, the first of which has a subsection. */
export const policies =
  '# Policies\n\nAll of them.\n\n## Revenue\n\nWhen delivered.\n\n### Returns\n\nNone.\n\n## Empty\n';
export const revenue = '## Revenue\n\nWhen delivered.\n\n### Returns\n\nNone.';
export const period = { period_start: '2026-01-01', period_end: '2026-03-31' } as const;

/** A graph with its own disclosures and the document `doc_policies`. */
export interface TextBooks {
  readonly graph: BlockGraph;
  /** The id of a structure by name or of an element by qname. */
  readonly id: (name: string) => string;
  /** Binds a text of `doc_policies` to `acme:Policies`, with overrides. */
  readonly bind: (more?: object, client?: TestClient) => Promise<Answer>;
  readonly write: (documentId: string, body: string) => Promise<void>;
  /** The envelope of the disclosure `Notes`. */
  readonly notes: () => Promise<Loose>;
  /** All stored sets, facts and elements of the graph. */
  readonly rows: () => Promise<unknown>;
}

export async function openTextBooks(blocks: BlocksService): Promise<TextBooks> {
  const graph = await openGraph(blocks);
  const ids = await authorNotes(blocks, graph);
  const id: TextBooks['id'] = (name) => {
    const found = ids.get(name);
    if (found === undefined) throw new Error(`Nothing is called ${name}.`);
    return found;
  };
  const write: TextBooks['write'] = (documentId, body) =>
    blocks.inGraph(graph.id, (tx) => writeDocument(tx, documentId, body));
  await write('doc_policies', policies);
  const given = { document_id: 'doc_policies', structure_id: id('Notes'), element_qname: 'acme:Policies', ...period };
  return {
    graph,
    id,
    write,
    bind: (more = {}, client = undefined) => graph.operation('bind-text-block', { ...given, ...more }, client),
    notes: async () => {
      const { informationBlock } = await graph.query(`{ informationBlock(id: "${id('Notes')}") {
        elements { qname itemType } factSet { id factsetType periodStart periodEnd entityId provenance }
        facts { id elementQname factType contentType textValue value periodType periodStart periodEnd factSetId }
        view { rendering { rows { elementQname textValue values depth } validation { warnings } } } } }`);
      return informationBlock;
    },
    rows: () =>
      blocks.inGraph(graph.id, (tx) =>
        tx.query(sql`
          select to_jsonb(s) as row from blocks_fact_set s where graph_id = ${graph.id}
          union all select to_jsonb(f) from blocks_fact f where graph_id = ${graph.id}
          union all select to_jsonb(e) from taxonomy_element e where graph_id = ${graph.id} order by 1`),
      ),
  };
}

async function authorNotes(blocks: BlocksService, graph: BlockGraph): Promise<ReadonlyMap<string, string>> {
  const { body } = await blocks.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  const concept = (name: string, more: object = {}) => ({
    qname: `acme:${name}`,
    name,
    trait: 'asset',
    balance_type: 'debit',
    period_type: 'duration',
    is_monetary: false,
    ...more,
  });
  const answer = await graph.operation('create-taxonomy-block', {
    name: 'Notes to the statements',
    taxonomy_type: 'reporting_extension',
    parent_taxonomy_id: body.data.libraryTaxonomy.id,
    elements: [
      concept('Header', { element_type: 'abstract' }),
      concept('Policies'),
      concept('Revenue'),
      concept('Loose'),
      concept('Money', { is_monetary: true }),
    ],
    structures: [
      { name: 'Notes', block_type: 'regulatory_disclosure', concept_arrangement: 'level2_textblock' },
      { name: 'Figures', block_type: 'regulatory_disclosure', concept_arrangement: 'roll_up' },
      { name: 'Unsaid', block_type: 'regulatory_disclosure' },
      { name: 'Rules of the house', block_type: 'policy', concept_arrangement: 'text_block' },
    ],
    associations: [
      ['acme:Revenue', 1],
      ['acme:Policies', 2],
    ].map(([toRef, orderValue]) => ({
      structure_ref: 'Notes',
      from_ref: 'acme:Header',
      to_ref: toRef,
      association_type: 'presentation',
      order_value: orderValue,
    })),
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { structures, elements } = answer.body.result;
  return new Map([
    ...structures.map(({ name, id }: Loose) => [name, id]),
    ...elements.map(({ qname, id }: Loose) => [qname, id]),
  ]);
}
