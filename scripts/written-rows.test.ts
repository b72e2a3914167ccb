import { describe, expect, it } from 'vitest';
import { writtenRows } from './written-rows.ts';

const columns = [
  { folder: 'plugins/ledger', table: 'ledger_entry', name: 'id', type: 'text' },
  { folder: 'plugins/ledger', table: 'ledger_entry', name: 'status', type: 'text' },
  { folder: 'plugins/ledger', table: 'ledger_entry', name: 'metadata', type: 'jsonb' },
];

function problemsOf(text: string, path = 'plugins/ledger/src/journal/reads.ts'): readonly string[] {
  return writtenRows([{ path, text }], columns).map((problem) => problem.replace(/^.*?:(\d+): (\w+) .*$/, '$1 $2'));
}

describe('writtenRows', () => {
  it('reports a column whose type is written at its statement, with the line', () => {
    const text = 'const rows = await tx.query(\n  sql<{ status: string }>`SELECT status FROM ledger_entry`);';
    expect(writtenRows([{ path: 'plugins/ledger/src/a.ts', text }], columns)).toEqual([
      'plugins/ledger/src/a.ts:2: status of ledger_entry is typed by hand. Use its type in rows.gen.ts.',
    ]);
  });

  it('reports one at the call that runs the statement, and one beside a derived column', () => {
    expect(problemsOf('tx.query<{ readonly id: string }>(sql`SELECT e.id FROM ledger_entry AS e`);')).toEqual(['1 id']);
    expect(
      problemsOf("sql<Pick<LedgerEntry, 'id'> & { status: string }>`SELECT id, status FROM ledger_entry`;"),
    ).toEqual(['1 status']);
  });

  it('reports a column in an interface or alias of the same file, and one that is selected under another name', () => {
    const statement = 'sql<Found>`SELECT id, e.status AS state FROM ledger_entry AS e`;\n';
    expect(problemsOf(`${statement}interface Found {\n  readonly id: string;\n  readonly state: string;\n}\n`)).toEqual(
      ['1 id', '1 status'],
    );
    expect(problemsOf(`${statement}type Found = Other & { readonly id: string };\nexport const none = {};\n`)).toEqual([
      '1 id',
    ]);
  });

  it('reads the fragments in a statement, and the statement behind them', () => {
    const text = `sql<{ id: string }>\`SELECT e.\${count > 1 ? sql\`id\` : sql\`status\`} FROM ledger_entry AS e\`;`;
    expect(problemsOf(text)).toEqual(['1 id']);
  });

  it('accepts derived and narrowed columns', () => {
    const from = `\`SELECT \${listed}, id, status AS state FROM ledger_entry\`;`;
    expect(problemsOf(`sql<RowOf<typeof listed>>${from}`)).toEqual([]);
    expect(problemsOf(`sql<{ readonly state: LedgerEntry['status'] }>${from}`)).toEqual([]);
    expect(problemsOf(`sql<Pick<LedgerEntry, 'id'> & { readonly id: EntryId }>${from}`)).toEqual([]);
  });

  it('accepts JSON values, casts and computed results, also under the name of a column', () => {
    expect(problemsOf('sql<{ metadata: Metadata }>`SELECT metadata FROM ledger_entry`;')).toEqual([]);
    expect(problemsOf('sql<{ id: number }>`SELECT e.id::bigint FROM ledger_entry AS e`;')).toEqual([]);
    expect(problemsOf('sql<{ id: string | null }>`SELECT min(id) AS id FROM ledger_entry`;')).toEqual([]);
    expect(problemsOf("sql<{ id: string }>`SELECT e.id || '/' || e.status AS id FROM ledger_entry AS e`;")).toEqual([]);
    expect(problemsOf('sql<{ count: number }>`SELECT count(*) AS count FROM ledger_entry`;')).toEqual([]);
  });

  it('reports columns in tests of the package that has the table', () => {
    const text = 'sql<{ id: string }>`SELECT id FROM ledger_entry`;';
    expect(problemsOf(text, 'plugins/ledger/src/journal/reads.test.ts')).toEqual(['1 id']);
    expect(problemsOf(text, 'plugins/ledger/test/log-books.ts')).toEqual(['1 id']);
  });

  it('accepts columns of tables that the statement does not name, and of another package', () => {
    const text = 'sql<{ id: string }>`SELECT id FROM ledger_entry`;';
    expect(problemsOf(text.replace('ledger_entry', 'ledger_entry_history'))).toEqual([]);
    expect(problemsOf(text, 'plugins/reporting/test/statements.test.ts')).toEqual([]);
  });
});
