/** @module-tag sessions */
// Goal: reads through a mapping use the date range, the sign and the mapping of the rules (taxonomy section 4).
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, entry, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
let mappingId: string;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
  mappingId = (await book.query('{ mappings { structures { id } } }'))['mappings'].structures[0].id;
});
afterAll(async () => {
  await service.close();
});

/** Net balances by qname in a date range; debits are positive. */
async function nets(window = ''): Promise<Readonly<Record<string, number>>> {
  const { mappedTrialBalance } = await book.query(
    `{ mappedTrialBalance(mappingId: "${mappingId}"${window}) { rows { qname netBalance } } }`,
  );
  return Object.fromEntries(mappedTrialBalance.rows.map(({ qname, netBalance }: Loose) => [qname, netBalance]));
}

const cash = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';

describe('mappedTrialBalance', () => {
  it('sums posted entries between both dates, without drafts (taxonomy M-19)', async () => {
    const sale = (date: string, cents: number, more: object = {}) =>
      entry(
        book,
        date,
        [
          ['1000', cents, 0],
          ['4000', 0, cents],
        ],
        more,
      );
    for (const [date, cents] of [
      ['2026-03-01', 100],
      ['2026-03-31', 2_000],
      ['2026-04-01', 30_000],
    ] as const)
      await done(book, 'create-event-block', sale(date, cents));
    const draft = sale('2026-03-15', 400_000) as { metadata: object };
    await done(book, 'create-event-block', { ...draft, metadata: { ...draft.metadata, status: 'draft' } });
    expect((await nets(', startDate: "2026-03-01", endDate: "2026-03-31"'))[cash]).toBe(21);
    expect((await nets(', startDate: "2026-03-02", endDate: "2026-03-30"'))[cash]).toBeUndefined();
    expect((await nets(', startDate: "2026-03-31"'))[cash]).toBe(320);
    expect((await nets(', endDate: "2026-03-31"'))[cash]).toBe(21);
    expect((await nets())[cash]).toBe(321);
  });

  it('deducts an allowance from the receivables of the same concept, and signs by the concept (taxonomy M-20)', async () => {
    const receivables = 'rs-gaap:AccountsReceivableNetCurrent'; // The template maps both accounts to it.
    for (const [debited, credited, cents] of [
      ['1100', '4000', 4_000_000],
      ['7300', '1110', 150_000],
    ] as const) {
      const legs = [[debited, cents, 0] as const, [credited, 0, cents] as const];
      await done(book, 'create-event-block', entry(book, '2026-03-20', legs));
    }
    expect((await nets())[receivables]).toBe(38_500);
    const { accountRollups } = await book.query(
      '{ accountRollups { groups { reportingQname balanceType total accounts { accountCode netBalance } } } }',
    );
    const groupOf = (qname: string) =>
      accountRollups.groups.find(({ reportingQname }: Loose) => reportingQname === qname);
    const balancesOf = ({ accounts }: Loose) =>
      Object.fromEntries(accounts.map(({ accountCode, netBalance }: Loose) => [accountCode, netBalance]));
    expect(groupOf(receivables)).toMatchObject({ balanceType: 'debit', total: 38_500 });
    expect(balancesOf(groupOf(receivables))).toMatchObject({ '1100': 40_000, '1110': -1_500 });
    const sales = accountRollups.groups.find(({ accounts }: Loose) =>
      accounts.some(({ accountCode }: Loose) => accountCode === '4000'),
    );
    expect(sales.balanceType).toBe('credit');
    expect(balancesOf(sales)).toMatchObject({ '4000': 40_321 });
    expect((await nets())[sales.reportingQname]).toBe(-40_321);
  });
});

describe('default mapping', () => {
  it('defaults to the mapping of the first chart, however many follow and whichever is primary (taxonomy M-5, M-6, M-7)', async () => {
    expect((await book.query('{ mappings { structures { name } } }'))['mappings'].structures).toEqual([
      { name: 'CoA to US GAAP Mapping' },
    ]);
    await done(book, 'create-taxonomy-block', {
      taxonomy_type: 'chart_of_accounts',
      name: 'Second',
      elements: [{ qname: 'second:1', name: 'Till', code: '1', trait: 'asset' }],
      structures: [{ name: 'A second mapping', block_type: 'coa_mapping' }],
    });
    const { mappings, accountRollups, mapping } = await book.query(
      '{ mappings { structures { name } } accountRollups { mappingId } mapping(mappingId: "struct_none") { id } }',
    );
    expect(mappings.structures.map(({ name }: Loose) => name)).toEqual(['A second mapping', 'CoA to US GAAP Mapping']);
    expect(accountRollups.mappingId).toBe(mappingId);
    expect(mapping).toBeNull();
  });

  it('counts associations of both types, and sums only those that statements use (taxonomy M-1, M-7)', async () => {
    const before = await book.query(`{ mapping(mappingId: "${mappingId}") { totalAssociations } }`);
    const sums = await nets();
    const { libraryElement } = await book.query('{ libraryElement(qname: "rs-gaap:OtherAssetsCurrent") { id } }');
    await done(book, 'create-mapping-association', {
      mapping_id: mappingId,
      from_element_id: book.id('1000'),
      to_element_id: libraryElement.id,
      association_type: 'equivalence',
    });
    const after = await book.query(`{ mapping(mappingId: "${mappingId}") { totalAssociations } }`);
    expect(after['mapping'].totalAssociations).toBe(before['mapping'].totalAssociations + 1);
    expect(await nets()).toEqual(sums);
  });
});

describe('taxonomies, structures and elements', () => {
  it('lists active rows, by name or by depth and code, at most 100 per page (taxonomy LB-18)', async () => {
    const { taxonomies, structures, elements } = await book.query(`{
      taxonomies { taxonomies { name } } structures { structures { name } }
      elements { elements { depth code source } pagination { total limit hasMore } } }`);
    const sorted = (rows: Loose[]) => {
      const names = rows.map(({ name }) => name);
      expect(names).toEqual([...names].sort());
    };
    sorted(taxonomies.taxonomies);
    sorted(structures.structures);
    expect(elements.pagination).toMatchObject({ limit: 100, hasMore: true });
    const depths = elements.elements.map(({ depth }: Loose) => depth);
    expect(depths).toEqual([...depths].sort((a, b) => a - b));
    await done(book, 'update-taxonomy-block', {
      taxonomy_id: (await book.query('{ taxonomies { taxonomies { id name } } }'))['taxonomies'].taxonomies.find(
        ({ name }: Loose) => name === 'Second',
      ).id,
      elements_to_update: [{ qname: 'second:1', is_active: false }],
    });
    const { elements: after } = await book.query('{ elements { pagination { total } } }');
    expect(after.pagination.total).toBe(elements.pagination.total - 1);
  });
});
