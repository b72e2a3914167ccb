// Goal: a text that cannot be bound is rejected with a reason, and no stored row changes.
import { joinTeam } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlocksService, openGraph, startBlocks, structureId } from './blocks-service.ts';
import { documentsPlugin } from './documents-plugin.ts';
import { oneEntity } from './rollforward-type.ts';
import { openTextBooks, type TextBooks } from './text-disclosures.ts';

let blocks: BlocksService;
let books: TextBooks;
beforeAll(async () => {
  blocks = await startBlocks([oneEntity], [documentsPlugin]);
  books = await openTextBooks(blocks);
  const { status, body } = await books.bind();
  expect(status, JSON.stringify(body)).toBe(200);
  await books.write('doc_blank', ' \n\n');
  await books.write('doc_long', 'x'.repeat(500_001));
});
afterAll(() => blocks.service.close());

const noTexts = 'level2_textblock';

const refusals: readonly (readonly [string, number, string, () => object])[] = [
  ['both element_id and element_qname (T-1)', 422, 'exactly one', () => ({ element_id: books.id('acme:Policies') })],
  ['neither element_id nor element_qname (T-1)', 422, 'exactly one', () => ({ element_qname: null })],
  ['an unknown document (T-1)', 404, "Document 'doc_none' not found", () => ({ document_id: 'doc_none' })],
  ['an unknown section (T-2)', 422, 'policies, revenue, returns, empty', () => ({ section_id: 'leases' })],
  ['a section without text (T-2)', 422, 'has no text', () => ({ section_id: 'empty' })],
  ['a document without text (T-2)', 422, 'has no text', () => ({ document_id: 'doc_blank' })],
  ['more than 500,000 characters (T-2)', 422, '500001 characters', () => ({ document_id: 'doc_long' })],
  ['an unknown structure (T-3)', 422, 'Structure not found: struct_x', () => ({ structure_id: 'struct_x' })],
  [
    'a structure that is not a disclosure (T-3)',
    422,
    'regulatory_disclosure',
    () => ({ structure_id: books.id('Rules of the house') }),
  ],
  [
    'a statement of the library (T-3)',
    422,
    'regulatory_disclosure',
    () => ({ structure_id: structureId(blocks, 'BS-classified') }),
  ],
  ['a disclosure of figures (T-3)', 422, noTexts, () => ({ structure_id: books.id('Figures') })],
  ['a disclosure without an arrangement (T-3)', 422, noTexts, () => ({ structure_id: books.id('Unsaid') })],
  ['an unknown element (T-3)', 422, 'Element not found: elem_x', () => ({ element_id: 'elem_x', element_qname: null })],
  ['an unknown qname (T-3)', 422, 'Element not found: acme:None', () => ({ element_qname: 'acme:None' })],
  ['an abstract element (T-3)', 422, 'is abstract', () => ({ element_qname: 'acme:Header' })],
  [
    'a period that ends before it starts (T-3)',
    422,
    'ends (2026-03-31) before',
    () => ({ period_start: '2026-04-01' }),
  ],
  ['an invalid date', 422, 'period_end', () => ({ period_end: '2026-02-30' })],
  ['an unknown entity (B-0.9)', 422, "Entity 'ent_x' not found in this graph.", () => ({ entity_id: 'ent_x' })],
];

describe('bind-text-block', () => {
  it.each(refusals)('rejects %s', async (_name, status, says, more) => {
    const before = await books.rows();
    const answer = await books.bind(more());
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(says)]);
    expect(await books.rows()).toEqual(before);
  });

  it('answers the same for a document of another graph as for an unknown one (reporting T-1)', async () => {
    const other = await openTextBooks(blocks);
    await other.write('doc_theirs', 'Not for you.');
    const before = await books.rows();
    const answer = await books.bind({ document_id: 'doc_theirs' });
    expect([answer.status, answer.body.detail]).toEqual([404, "Document 'doc_theirs' not found"]);
    const foreign = await books.bind({ structure_id: other.id('Notes') });
    expect([foreign.status, foreign.body.detail]).toEqual([422, `Structure not found: ${other.id('Notes')}`]);
    expect(await books.rows()).toEqual(before);
  });

  it('rejects viewers and non-members of the graph (reporting B-0.2)', async () => {
    const { client: viewer, userId } = await joinTeam(blocks.service, blocks.user);
    const member = { user_id: userId, role: 'viewer' };
    expect((await blocks.user.post(`/v1/graphs/${books.graph.id}/members`, member)).status).toBe(201);
    const stranger = await blocks.service.newUser('Sam');
    const before = await books.rows();
    for (const who of [viewer, stranger]) expect((await books.bind({}, who)).status).toBe(403);
    expect(await books.rows()).toEqual(before);
  });

  it('rejects a graph without an entity and a deployment without documents (reporting T-1, B-0.9)', async () => {
    const alone = await startBlocks([oneEntity]);
    const graph = await openGraph(alone);
    const { body } = await graph.operation('create-taxonomy-block', await ownNotes(alone));
    const request = {
      document_id: 'doc_policies',
      structure_id: body.result.structures[0].id,
      element_qname: 'own:Policies',
      period_start: '2026-01-01',
      period_end: '2026-03-31',
    };
    const answer = await graph.operation('bind-text-block', request);
    expect([answer.status, answer.body.detail]).toEqual([404, "Document 'doc_policies' not found"]);
    await alone.service.close();

    const nobody = await startBlocks([], [documentsPlugin]);
    const bare = await openTextBooks(nobody);
    const before = await bare.rows();
    const refused = await bare.bind();
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('has no entity')]);
    expect(await bare.rows()).toEqual(before);
    await nobody.service.close();
  });
});

it('bind-text-block accepts a text of exactly 500,000 characters (reporting T-2)', async () => {
  const own = await openTextBooks(blocks);
  await own.write('doc_fits', 'x'.repeat(500_000));
  const { status, body } = await own.bind({ document_id: 'doc_fits' });
  expect([status, body.result?.characters]).toEqual([200, 500_000]);
});

async function ownNotes({ user }: BlocksService): Promise<object> {
  const { body } = await user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  const element = {
    qname: 'own:Policies',
    name: 'Policies',
    trait: 'asset',
    balance_type: 'debit',
    is_monetary: false,
  };
  return {
    name: 'Own notes',
    taxonomy_type: 'reporting_extension',
    parent_taxonomy_id: body.data.libraryTaxonomy.id,
    elements: [element],
    structures: [{ name: 'Notes', block_type: 'regulatory_disclosure', concept_arrangement: 'text_block' }],
  };
}
