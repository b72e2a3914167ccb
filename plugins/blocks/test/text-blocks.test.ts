// Goal: the text of a document becomes a disclosure fact that records its source, and drift from the source is
// reported.
import { createHash } from 'node:crypto';
import { sql, type Transaction } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlocksService, conceptId, type Loose, startBlocks, statementsOf } from './blocks-service.ts';
import { documentsPlugin, removeDocument } from './documents-plugin.ts';
import { oneEntity } from './rollforward-type.ts';
import { openTextBooks, period, policies, revenue, type TextBooks } from './text-disclosures.ts';

let blocks: BlocksService;
beforeAll(async () => {
  blocks = await startBlocks([oneEntity], [documentsPlugin]);
});
afterAll(() => blocks.service.close());

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const changed = 'source document changed since bind';

async function bound(books: TextBooks, more: object = {}): Promise<Loose> {
  const answer = await books.bind(more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.result;
}

const elementOf = (tx: Transaction, id: string) =>
  tx.query(sql`select graph_id, item_type, updated_at from taxonomy_element where id = ${id}`);

const warningsOf = async (books: TextBooks) => (await books.notes()).view.rendering.validation.warnings;

describe('a bound text', () => {
  it('is a fact with the whole document, over the period and with its source (reporting T-1, T-2, T-4, T-5)', async () => {
    const books = await openTextBooks(blocks);
    const result = await bound(books);
    const text = policies.trim();
    expect(result).toEqual({
      fact_id: expect.stringMatching(/^fact_/),
      fact_set_id: expect.stringMatching(/^fs_/),
      structure_id: books.id('Notes'),
      element_id: books.id('acme:Policies'),
      document_id: 'doc_policies',
      section_id: null,
      content_hash: sha256(text),
      characters: text.length,
      ...period,
      replaced: false,
    });
    const { facts, factSet } = await books.notes();
    expect(facts).toEqual([
      {
        id: result.fact_id,
        elementQname: 'acme:Policies',
        factType: 'Nonnumeric',
        contentType: 'text/markdown',
        textValue: text,
        value: null,
        periodType: 'duration',
        periodStart: period.period_start,
        periodEnd: period.period_end,
        factSetId: result.fact_set_id,
      },
    ]);
    expect(factSet).toMatchObject({ id: result.fact_set_id, factsetType: 'disclosure', entityId: 'ent_1' });
    expect(factSet.provenance).toEqual({
      origin: 'document',
      document_id: 'doc_policies',
      section_id: null,
      content_hash: sha256(text),
      asserted_by: expect.any(String),
    });
  });

  it('includes the subsections of its section, counted in characters and hashed as UTF-8 (reporting T-2, T-4)', async () => {
    const books = await openTextBooks(blocks);
    const part = await bound(books, {
      section_id: 'revenue',
      element_qname: null,
      element_id: books.id('acme:Revenue'),
    });
    expect([part.content_hash, part.characters, part.section_id]).toEqual([sha256(revenue), revenue.length, 'revenue']);
    await books.write('doc_signs', '𝄞é');
    const signs = await bound(books, { document_id: 'doc_signs', entity_id: 'ent_1' });
    expect([signs.characters, signs.content_hash]).toEqual([2, sha256('𝄞é')]);
  });

  it('replaces only the text of the same element, and each fact keeps its source (reporting T-4)', async () => {
    const books = await openTextBooks(blocks);
    await books.write('doc_other', 'Something else.');
    const first = await bound(books);
    const other = await bound(books, { element_qname: 'acme:Revenue', section_id: 'revenue' });
    const again = await bound(books, { document_id: 'doc_other' });
    expect([first.replaced, other.replaced, again.replaced]).toEqual([false, false, true]);
    expect([other.fact_set_id, again.fact_set_id]).toEqual([first.fact_set_id, first.fact_set_id]);
    const { facts, factSet } = await books.notes();
    const texts = Object.fromEntries(facts.map((fact: Loose) => [fact.elementQname, [fact.id, fact.textValue]]));
    expect(texts).toEqual({
      'acme:Policies': [again.fact_id, 'Something else.'],
      'acme:Revenue': [other.fact_id, revenue],
    });
    expect(factSet.provenance).toMatchObject({ document_id: 'doc_other', content_hash: sha256('Something else.') });
    const stored = await blocks.inGraph(books.graph.id, (tx) =>
      blocks.use.factStore.facts(tx, { scenario: 'actuals', factSetIds: [first.fact_set_id] }),
    );
    expect(Object.fromEntries(stored.map(({ id, provenance }) => [id, provenance?.['document_id']]))).toEqual({
      [again.fact_id]: 'doc_other',
      [other.fact_id]: 'doc_policies',
    });
    const later = await bound(books, { period_start: '2026-04-01', period_end: '2026-04-01' });
    expect(later.replaced).toBe(false);
    expect(later.fact_set_id).not.toBe(first.fact_set_id);
  });

  it('is stored once when several requests bind it concurrently (reporting F-10, T-4)', async () => {
    const books = await openTextBooks(blocks);
    const answers = await Promise.all([1, 2, 3, 4].map(() => books.bind()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body.result.replaced === false)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.result.fact_set_id)).size).toBe(1);
    expect((await books.notes()).facts).toHaveLength(1);
  });

  it('sets the type of an element without one to text (reporting T-3)', async () => {
    const books = await openTextBooks(blocks);
    await bound(books);
    await bound(books, { element_qname: 'acme:Money' });
    const itemTypes = Object.fromEntries(
      (await books.notes()).elements.map(({ qname, itemType }: Loose) => [qname, itemType]),
    );
    expect(itemTypes).toEqual({
      'acme:Header': null,
      'acme:Policies': 'text_block',
      'acme:Revenue': null,
      'acme:Money': 'monetary',
    });
  });

  it('can belong to a library concept, which does not change (reporting T-3)', async () => {
    const books = await openTextBooks(blocks);
    const concept = conceptId(blocks, 'Assets');
    const before = await blocks.inGraph(books.graph.id, (tx) => elementOf(tx, concept));
    await bound(books, { element_qname: null, element_id: concept });
    expect((await books.notes()).facts).toMatchObject([{ textValue: policies.trim() }]);
    expect(await blocks.inGraph(books.graph.id, (tx) => elementOf(tx, concept))).toEqual(before);
  });

  it('marks the graph’s projection as stale (reporting B-0.4)', async () => {
    const books = await openTextBooks(blocks);
    const { store } = blocks.use;
    // The first mark remains until a rebuild clears it.
    await store.transaction('kernel', (tx) =>
      tx.query(sql`update kernel_graph set stale_since = null, stale_reason = null where graph_id = ${books.graph.id}`),
    );
    await bound(books);
    const [row] = await store.transaction('kernel', (tx) =>
      tx.query(sql<Loose>`select stale_reason as reason from kernel_graph where graph_id = ${books.graph.id}`),
    );
    expect(row.reason).toBe('text_block_bound');
  });
});

describe('the view of a text block', () => {
  it('has a row per text in presentation order, then other texts, without values (reporting T-7, B-8)', async () => {
    const books = await openTextBooks(blocks);
    await bound(books, { element_qname: 'acme:Loose', section_id: 'returns' });
    await bound(books);
    await bound(books, { element_qname: 'acme:Revenue', section_id: 'revenue' });
    expect((await books.notes()).view.rendering.rows).toEqual([
      { elementQname: 'acme:Header', textValue: null, values: [], depth: 0 },
      { elementQname: 'acme:Revenue', textValue: revenue, values: [], depth: 1 },
      { elementQname: 'acme:Policies', textValue: policies.trim(), values: [], depth: 1 },
      { elementQname: 'acme:Loose', textValue: '### Returns\n\nNone.', values: [], depth: 0 },
    ]);
  });

  it('warns while the section differs from the bound text, until it is bound again (reporting T-6)', async () => {
    const books = await openTextBooks(blocks);
    await bound(books, { section_id: 'revenue' });
    await books.write('doc_policies', policies.replace('All of them', 'Most of them'));
    expect(await warningsOf(books)).toEqual([]);
    await books.write('doc_policies', policies.replace('When delivered', 'When paid'));
    expect(await warningsOf(books)).toEqual([changed]);
    expect((await books.notes()).facts[0].textValue).toBe(revenue);
    await bound(books, { section_id: 'revenue' });
    expect(await warningsOf(books)).toEqual([]);
    await books.write('doc_policies', '# Nothing of it\n\nis left.');
    expect(await warningsOf(books)).toEqual([changed]);
    await blocks.inGraph(books.graph.id, (tx) => removeDocument(tx, 'doc_policies'));
    expect(await warningsOf(books)).toEqual([changed]);
  });

  it('reads many documents with as many statements as one (reporting B-19, T-6)', async () => {
    const books = await openTextBooks(blocks);
    const read = () =>
      blocks.inGraph(books.graph.id, (tx) =>
        statementsOf(tx, (counted) => blocks.use.blockEnvelopes.read(counted, [books.id('Notes')])),
      );
    await bound(books);
    const one = await read();
    for (const name of ['Revenue', 'Loose', 'Money']) {
      await books.write(`doc_${name}`, `About ${name}.`);
      await bound(books, { document_id: `doc_${name}`, element_qname: `acme:${name}` });
    }
    expect(await read()).toBe(one);
  });
});
