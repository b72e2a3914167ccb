/** @module-tag sessions */
// Goal: mappings, charts and their history stay consistent with real books (taxonomy sections 2.3, 2.6 and 4).
// Method: a real service over HTTP; months are closed in the store where the test is not about closing.
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntityTaxonomy } from '../src/rows.gen.ts';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

/** Opens books with their mapping and the arc of each account by code. */
async function openMapped(): Promise<{ book: Books; mappingId: string; arcs: ReadonlyMap<string, Loose> }> {
  const book = await openBooks(user);
  const { mappings } = await book.query('{ mappings { structures { id } } }');
  const mappingId: string = mappings.structures[0].id;
  const { mapping } = await book.query(
    `{ mapping(mappingId: "${mappingId}") { associations { id fromElementQname fromElementId toElementId toElementQname } } }`,
  );
  const arcs = new Map(
    mapping.associations.map((arc: Loose) => [arc.fromElementQname.replace('coa:', ''), arc]) as [string, Loose][],
  );
  return { book, mappingId, arcs };
}

const concept = async (book: Books, name: string): Promise<string> =>
  (await book.query(`{ libraryElement(qname: "us-gaap:${name}") { id } }`)).libraryElement.id;

const rows = async (book: Books, mappingId: string): Promise<Loose[]> =>
  (
    await book.query(
      `{ mappedTrialBalance(mappingId: "${mappingId}") { rows { qname totalDebits totalCredits netBalance } } }`,
    )
  ).mappedTrialBalance.rows;

const netOf = (list: readonly Loose[]): bigint =>
  list.reduce((sum, { netBalance }) => sum + BigInt(Math.round(netBalance * 100)), 0n);

async function setMonths(book: Books, months: readonly string[], status: string): Promise<void> {
  await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql`INSERT INTO ledger_fiscal_period (graph_id, name, status)
      SELECT ${book.graph}, name, ${status} FROM unnest(${[...months]}::text[]) AS name
      ON CONFLICT (graph_id, name) DO UPDATE SET status = excluded.status`),
  );
}

describe('create-mapping-association and delete-mapping-association', () => {
  it('maps an account to one leaf concept, and rejects a total and a second leaf (taxonomy M-2, M-8)', async () => {
    const { book, mappingId, arcs } = await openMapped();
    const arc = arcs.get('1000');
    expect(arc.toElementQname).toBe('rs-gaap:CashAndCashEquivalentsAtCarryingValue');
    await book.operation('delete-mapping-association', { mapping_id: mappingId, association_id: arc.id });
    const add = (to: string) =>
      book.operation('create-mapping-association', {
        mapping_id: mappingId,
        from_element_id: arc.fromElementId,
        to_element_id: to,
      });
    const total = await add(await concept(book, 'Assets'));
    expect([total.status, total.body.detail]).toEqual([422, expect.stringContaining('rs-gaap:Assets')]);
    expect((await add(arc.toElementId)).status).toBe(200);
    expect((await add(arc.toElementId)).status).toBe(409);
    const second = await add(await concept(book, 'OtherAssetsCurrent'));
    expect([second.status, second.body.code]).toEqual([409, 'ACCOUNT_ALREADY_MAPPED']);
    const { mapping } = await book.query(`{ mapping(mappingId: "${mappingId}") { totalAssociations } }`);
    expect(mapping.totalAssociations).toBe(arcs.size);
  });

  it('rejects deleting an association that a closed month depends on, until the month is reopened (taxonomy T-40)', async () => {
    const { book, mappingId, arcs } = await openMapped();
    await book.operation(
      'create-event-block',
      entry(book, '2026-03-10', [
        ['1000', 500, 0],
        ['4000', 0, 500],
      ]),
    );
    await setMonths(book, ['2026-04', '2026-05'], 'closed');
    const before = await rows(book, mappingId);
    const arc = arcs.get('1000');
    const remove = () =>
      book.operation('delete-mapping-association', { mapping_id: mappingId, association_id: arc.id });
    const refused = await remove();
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('2026-04–2026-05')]);
    const { taxonomies } = await book.query('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id } } }');
    const reclassify = await book.operation('update-taxonomy-block', {
      taxonomy_id: taxonomies.taxonomies[0].id,
      elements_to_update: [{ qname: 'coa:1000', trait: 'contraLiability' }],
    });
    expect(reclassify.body.errors).toMatchObject([{ phase: 'delta_validation', code: 'protected_facts' }]);
    expect(await rows(book, mappingId)).toEqual(before);
    // Nothing was posted to this account, so no closed month depends on it.
    const unused = await book.operation('delete-mapping-association', {
      mapping_id: mappingId,
      association_id: arcs.get('6300').id,
    });
    expect(unused.status).toBe(200);
    await setMonths(book, ['2026-04', '2026-05'], 'open');
    expect((await remove()).status).toBe(200);
  });
});

describe('chart of accounts with entries', () => {
  it('rejects deleting a chart with entries or its accounts, which can only be deactivated (taxonomy T-34, T-37)', async () => {
    const { book } = await openMapped();
    await book.operation(
      'create-event-block',
      entry(book, '2026-03-10', [
        ['1000', 500, 0],
        ['4000', 0, 500],
      ]),
    );
    const { taxonomies } = await book.query('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id } } }');
    const taxonomyId = taxonomies.taxonomies[0].id;
    const everything = `{ accounts(limit: 200) { accounts { id code } } mappings { structures { id } } }`;
    const before = await book.query(everything);
    const deleted = await book.operation('delete-taxonomy-block', { taxonomy_id: taxonomyId, reason: 'Wrong one' });
    expect([deleted.status, deleted.body.detail]).toEqual([422, expect.stringContaining('2 element(s) have journal')]);
    const removed = await book.operation('update-taxonomy-block', {
      taxonomy_id: taxonomyId,
      elements_to_remove: ['coa:4000'],
    });
    expect(removed.body.errors.map(({ code }: Loose) => code)).toContain('element_has_line_items');
    expect(await book.query(everything)).toEqual(before);
  });

  it('makes a newer chart the primary one (taxonomy T-28, T-38, T-39)', async () => {
    const { book } = await openMapped();
    const made = await book.operation('create-taxonomy-block', {
      name: 'Second',
      taxonomy_type: 'chart_of_accounts',
      elements: [{ qname: 'two:1', code: '1', name: 'Safe', trait: 'asset' }],
    });
    const links = () =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        tx.query(sql<Pick<LedgerEntityTaxonomy, 'taxonomy_id' | 'is_primary'>>`SELECT taxonomy_id, is_primary
          FROM ledger_entity_taxonomy WHERE basis = 'chart_of_accounts' AND is_primary`),
      );
    const second = made.body.result.id;
    expect(await links()).toEqual([{ taxonomy_id: second, is_primary: true }]);
    await book.operation('delete-taxonomy-block', { taxonomy_id: second, reason: 'A trial' });
    expect(await links()).toEqual([]);
  });
});

describe('reportingTaxonomy', () => {
  it('returns the standard that the entity is linked to, or US GAAP (taxonomy LB-17)', async () => {
    const { book } = await openMapped();
    const query = '{ reportingTaxonomy { standard } fac: libraryTaxonomy(standard: "fac") { id } }';
    const { reportingTaxonomy, fac } = await book.query(query);
    expect(reportingTaxonomy).toEqual({ standard: 'rs-gaap' });
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`INSERT INTO ledger_entity_taxonomy (graph_id, entity_id, taxonomy_id, basis, is_primary, created_at)
        SELECT graph_id, id, ${fac.id}, 'reporting', true, now() FROM ledger_entity WHERE graph_id = ${book.graph}`),
    );
    expect((await book.query(query)).reportingTaxonomy).toEqual({ standard: 'fac' });
  });
});

describe('mappingCoverage', () => {
  it('counts posting accounts by confidence band (taxonomy M-16, T-18)', async () => {
    const { book, mappingId, arcs } = await openMapped();
    const query = `{ mappingCoverage(mappingId: "${mappingId}") { totalCoaElements mappedCount unmappedCount
      coveragePercent highConfidence mediumConfidence lowConfidence unreachableCount } }`;
    const { mappingCoverage: full } = await book.query(query);
    expect(full).toMatchObject({ mappedCount: arcs.size, coveragePercent: 100, unmappedCount: 0, unreachableCount: 0 });
    const bands = [0.9, 0.89, 0.7, 0.69];
    for (const [index, code] of ['1000', '4000', '6000', '6300'].entries()) {
      const arc = arcs.get(code);
      await book.operation('delete-mapping-association', { mapping_id: mappingId, association_id: arc.id });
      const again = await book.operation('create-mapping-association', {
        mapping_id: mappingId,
        from_element_id: arc.fromElementId,
        to_element_id: arc.toElementId,
        confidence: bands[index],
      });
      expect(again.status, JSON.stringify(again.body)).toBe(200);
    }
    expect((await book.query(query)).mappingCoverage).toMatchObject({
      coveragePercent: 100,
      highConfidence: 1,
      mediumConfidence: 2,
      lowConfidence: 1,
    });
  });
});

/** Generated books: each takes a dozen requests, so the number stays small. */
const maxBooks = 4;
const codes = ['1000', '1100', '2000', '3000', '4000', '5000', '6000', '6300'] as const;
const postings = fc.array(
  fc
    .tuple(fc.constantFrom(...codes), fc.constantFrom(...codes), fc.integer({ min: 1, max: 10 ** 9 }))
    .filter(([debited, credited]) => debited !== credited)
    .map(([debited, credited, amount]): readonly Leg[] => [
      [debited, amount, 0],
      [credited, 0, amount],
    ]),
  { minLength: 1, maxLength: 5 },
);

describe('mappedTrialBalance', () => {
  it('sums to zero exactly while every account with activity is mapped, and again once its associations are restored (taxonomy M-21, 4.6)', async () => {
    await fc.assert(
      fc.asyncProperty(postings, fc.constantFrom(...codes), async (entries, code) => {
        const { book, mappingId, arcs } = await openMapped();
        for (const legs of entries) {
          const answer = await book.operation('create-event-block', entry(book, '2026-03-10', legs));
          expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        }
        const whole = await rows(book, mappingId);
        expect(netOf(whole)).toBe(0n);

        const arc = arcs.get(code);
        await book.operation('delete-mapping-association', { mapping_id: mappingId, association_id: arc.id });
        const balance = entries
          .flat()
          .filter(([leg]) => leg === code)
          .reduce((sum, [, debit, credit]) => sum + BigInt(debit) - BigInt(credit), 0n);
        expect(netOf(await rows(book, mappingId))).toBe(-balance);

        await book.operation('create-mapping-association', {
          mapping_id: mappingId,
          from_element_id: arc.fromElementId,
          to_element_id: arc.toElementId,
        });
        expect(await rows(book, mappingId)).toEqual(whole);
      }),
      { numRuns: maxBooks },
    );
  });

  it('returns null for an unknown mapping (taxonomy M-22)', async () => {
    const { book } = await openMapped();
    expect(await book.query('{ mappedTrialBalance(mappingId: "struct_x") { mappingId } }')).toEqual({
      mappedTrialBalance: null,
    });
  });
});
