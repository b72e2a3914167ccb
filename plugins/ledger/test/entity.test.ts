import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntityTaxonomy } from '../src/rows.gen.ts';
import { type Books, type Loose, openBooks, startLedger } from './books.ts';
import { expectRefused } from './expect-refused.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(async () => {
  await service.close();
});

const inStore = <T>(statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
const rows = async () => [
  await inStore(sql<Loose>`SELECT * FROM ledger_entity ORDER BY id`),
  await inStore(sql<Loose>`SELECT * FROM ledger_entity_taxonomy ORDER BY entity_id, taxonomy_id, basis`),
];
const refused = (name: string, body: object, status: number, message: string) =>
  expectRefused(service, book.graph, () => book.operation(name, body), [status, message]);

describe('update-entity', () => {
  it('changes the fields that are sent, and keeps those that are omitted or null (ledger L-31)', async () => {
    const before = (await book.query('{ entity { id name fiscalYearEnd phone } }'))['entity'];
    const change = { legal_name: 'Acme Holdings LLC', cik: '320193', fiscal_year_end: '06-30', phone: null };
    const { result } = (await book.operation('update-entity', change)).body;
    expect(result).toMatchObject({
      id: before.id,
      name: before.name,
      cik: '0000320193',
      legal_name: 'Acme Holdings LLC',
    });
    const { entity } = await book.query('{ entity { name cik fiscalYearEnd phone legalName } }');
    expect(entity).toEqual({
      name: before.name,
      cik: '0000320193',
      fiscalYearEnd: '06-30',
      phone: before.phone,
      legalName: 'Acme Holdings LLC',
    });
  });

  it('returns the fiscal year end as MM-DD, in whichever format it was sent (ledger L-31, graphs G-22)', async () => {
    const { result } = (await book.operation('update-entity', { fiscal_year_end: '0930' })).body;
    expect(result.fiscal_year_end).toBe('09-30');
    expect((await book.query('{ entity { fiscalYearEnd } }')).entity).toEqual({ fiscalYearEnd: '09-30' });
    for (const [written, answered] of [
      ['1231', '12-31'],
      ['02-29', '02-29'],
    ] as const) {
      const accepted = await user.post('/v1/graphs', {
        metadata: { graph_name: 'Year ends', schema_extensions: ['ledger'] },
        initial_entity: { name: 'Year ends', uri: 'https://example.org/year-ends', fiscal_year_end: written },
      });
      expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
      const { graph_id } = (await user.follow(accepted.body.operationId)).body.result;
      const { body } = await user.graphql(graph_id, '{ entity { fiscalYearEnd } }');
      expect(body.data.entity).toEqual({ fiscalYearEnd: answered });
    }
  });

  it('rejects an empty change and invalid identifiers (ledger L-31)', async () => {
    await refused('update-entity', {}, 400, 'No fields provided for update.');
    await refused('update-entity', { name: null, lei: null }, 400, 'No fields provided for update.');
    await refused('update-entity', { is_parent: false }, 400, 'No fields provided for update.');
    await refused('update-entity', { phone: '1', lei: 'short' }, 422, 'lei');
    for (const fiscalYearEnd of ['02-30', '0230', '12-3', '1-231'])
      await refused('update-entity', { fiscal_year_end: fiscalYearEnd }, 422, 'fiscal_year_end');
    await refused('update-entity', { cik: 'x' }, 422, 'cik');
    await refused('update-entity', { name: ' ' }, 422, 'name');
  });

  it('keeps the entity first in the list of its graph, followed by the others by name (ledger L-30)', async () => {
    for (const [id, name, source] of [
      ['ent_b', 'beta', 'native'],
      ['ent_a', 'Alpha', 'linked'],
    ])
      await inStore(sql`
        INSERT INTO ledger_entity (graph_id, id, name, is_parent, source, created_at, updated_at)
        VALUES (${book.graph}, ${id}, ${name}, ${source === 'linked'}, ${source}, '2020-01-01', '2020-01-01')`);
    const names = async (args = '') =>
      (await book.query(`{ entities${args} { name } }`))['entities'].map(({ name }: Loose) => name);
    const { entity } = await book.query('{ entity { name } }');
    expect(await names()).toEqual([entity.name, 'Alpha', 'beta']);
    expect(await names('(source: "linked")')).toEqual(['Alpha']);
  });
});

describe('link-entity-taxonomy', () => {
  const link = async (body: object) => (await book.operation('link-entity-taxonomy', body)).body.result;

  it('links a taxonomy once for each basis, and a new primary one replaces the old one (ledger L-28, L-29)', async () => {
    const { libraryTaxonomies } = await book.query('{ libraryTaxonomies { id taxonomyType } }');
    const one = libraryTaxonomies.find(({ taxonomyType }: Loose) => taxonomyType === 'reporting_standard').id;
    const made = await book.operation('create-taxonomy-block', {
      name: 'Own concepts',
      taxonomy_type: 'reporting_extension',
      parent_taxonomy_id: one,
    });
    const second = made.body.result.id;
    const first = { taxonomy_id: one, basis: 'reporting' };
    expect(await link(first)).toMatchObject({ ...first, is_primary: true, adoption_context: 'voluntary' });
    const before = await rows();
    expect(await link({ ...first, is_primary: false, adoption_context: 'mandated' })).toMatchObject({
      ...first,
      is_primary: true,
      adoption_context: 'voluntary',
    });
    expect(await rows()).toEqual(before);
    expect(await link({ taxonomy_id: second, basis: 'reporting' })).toMatchObject({ is_primary: true });
    const primaries = (): Promise<readonly object[]> =>
      inStore(sql`SELECT taxonomy_id FROM ledger_entity_taxonomy WHERE basis = 'reporting' AND is_primary`);
    expect(await primaries()).toEqual([{ taxonomy_id: second }]);
    // An earlier taxonomy becomes the primary one again (taxonomy T-39, T-43).
    expect(await link({ ...first, is_primary: true })).toMatchObject({ ...first, is_primary: true });
    expect(await primaries()).toEqual([{ taxonomy_id: one }]);
  });

  it('requires the taxonomy type of the basis (taxonomy T-44)', async () => {
    const [chart] = await inStore(sql<Pick<LedgerEntityTaxonomy, 'taxonomy_id'>>`
      SELECT taxonomy_id FROM ledger_entity_taxonomy WHERE basis = 'chart_of_accounts'`);
    const taxonomyId = chart?.taxonomy_id;
    for (const basis of ['reporting', 'mapping', 'schedule'])
      await refused('link-entity-taxonomy', { taxonomy_id: taxonomyId, basis }, 422, 'is a chart_of_accounts');
    const { libraryTaxonomies } = await book.query('{ libraryTaxonomies { id taxonomyType } }');
    const reporting = libraryTaxonomies.find(({ taxonomyType }: Loose) => taxonomyType === 'reporting_standard').id;
    for (const basis of ['chart_of_accounts', 'mapping', 'schedule'])
      await refused('link-entity-taxonomy', { taxonomy_id: reporting, basis }, 422, 'is a reporting_standard');
    const answer = await book.operation('link-entity-taxonomy', { taxonomy_id: reporting });
    expect(answer.body.details).toEqual({ reason: 'basis_type_mismatch' });
  });

  it('rejects unknown taxonomies and bases (ledger L-28)', async () => {
    await refused('link-entity-taxonomy', { taxonomy_id: 'tax_none' }, 404, 'Taxonomy not found: tax_none');
    await refused('link-entity-taxonomy', { taxonomy_id: 'tax_none', basis: 'x' }, 422, '');
  });
});
