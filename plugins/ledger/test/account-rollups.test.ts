/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { entry, type Loose, openBooks } from './books.ts';
import { recorded } from './close-books.ts';
import { useCloseBooks, user } from './close-fixture.ts';

useCloseBooks();

describe('accountRollups', () => {
  const groups = `mappingId mappingName totalMapped totalUnmapped groups { reportingQname trait balanceType total
    accounts { accountCode totalDebits totalCredits netBalance } }`;

  it("groups natural balances under the concepts of the chart's mapping, in statement order (ledger L-42, L-38, L-211)", async () => {
    const book = await openBooks(user);
    for (const legs of [
      [
        ['1000', 100_000, 0],
        ['3000', 0, 100_000],
      ],
      [
        ['6100', 2_500, 0],
        ['2000', 0, 2_500],
      ],
      [
        ['1100', 70_010, 0],
        ['4000', 0, 70_010],
      ],
    ] as const)
      await recorded(book, entry(book, '2026-03-20', legs));
    const { accountRollups, mappings } = await book.query(
      `{ accountRollups { ${groups} } mappings { structures { id name } } }`,
    );
    expect(mappings.structures).toContainEqual({ id: accountRollups.mappingId, name: accountRollups.mappingName });
    const order = ['asset', 'liability', 'equity', 'revenue', 'expense'];
    const kinds: string[] = accountRollups.groups.map((group: Loose) =>
      group.trait.replace('contra', '').toLowerCase(),
    );
    const places = kinds.map((kind) => (order.includes(kind) ? order.indexOf(kind) : order.length));
    expect(places).toEqual(places.toSorted());
    expect(new Set(places).size).toBeGreaterThanOrEqual(5);
    const rows = accountRollups.groups.flatMap((group: Loose) => group.accounts);
    const byCode = new Map(rows.map((row: Loose) => [row.accountCode, row]));
    expect(byCode.get('2000')).toMatchObject({ totalDebits: 0, totalCredits: 25, netBalance: 25 });
    expect(byCode.get('1000')).toMatchObject({ totalDebits: 1_000, netBalance: 1_000 });
    expect(byCode.get('6000')).toMatchObject({ totalDebits: 0, totalCredits: 0, netBalance: 0 });
    expect(accountRollups.totalMapped).toBe(rows.length);
    const signed = accountRollups.groups.map(
      (group: Loose) => Math.round(group.total * 100) * (group.balanceType === 'debit' ? 1 : -1),
    );
    const mapped: number = signed.reduce((sum: number, cents: number) => sum + cents, 0);
    const { trialBalance } = await book.query('{ trialBalance { rows { accountCode netBalance } } }');
    const unmapped: number = trialBalance.rows
      .filter((row: Loose) => !byCode.has(row.accountCode))
      .reduce((sum: number, row: Loose) => sum + Math.round(row.netBalance * 100), 0);
    expect(mapped + unmapped).toBe(0);
  });

  it('reports a missing mapping in the result and rejects an unknown mapping id (ledger L-42)', async () => {
    const graph = await user.createGraph('No chart', ['roboledger']);
    expect((await user.graphql(graph, `{ accountRollups { ${groups} } }`)).body.data.accountRollups).toEqual({
      mappingId: '',
      mappingName: 'No mapping found',
      totalMapped: 0,
      totalUnmapped: 0,
      groups: [],
    });
    const answer = await user.graphql(graph, '{ accountRollups(mappingId: "struct_none") { mappingId } }');
    expect(answer.body.errors[0].message).toBe('Mapping not found');
  });
});
