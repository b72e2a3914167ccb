import { describe, expect, it } from 'vitest';
import { foreignTables } from './foreign-tables.ts';

const owners = [
  { folder: 'core', tables: ['kernel_org'] },
  { folder: 'plugins/ledger', tables: ['ledger_entry'] },
  { folder: 'plugins/ledger-tools', tables: ['ledger_tools_run'] },
];

const reads = (table: string) => `const rows = await tx.query(sql\`\n  SELECT id FROM ${table} AS t\`);\n`;

describe('foreignTables', () => {
  it('reports a statement that names a table of another package, with its line', () => {
    const file = { path: 'plugins/reporting/src/store/facts.ts', text: reads('ledger_entry') };
    expect(foreignTables([file], owners)).toEqual([
      'plugins/reporting/src/store/facts.ts:2: ledger_entry is a table of plugins/ledger. ' +
        'Use a service of that package instead.',
    ]);
  });

  it('reports a host, and a package whose name begins with that of the owner', () => {
    const paths = ['hosts/standalone/src/main.ts', 'hosts/drivers/x/src/x.ts', 'plugins/ledger-tools/src/runs.ts'];
    const files = paths.map((path) => ({ path, text: reads('ledger_entry') }));
    expect(foreignTables(files, owners)).toHaveLength(3);
  });

  it('accepts own tables, comments, names that only contain that of a table, and tests', () => {
    const files = [
      { path: 'plugins/ledger/src/journal/reads.ts', text: reads('ledger_entry') },
      { path: 'plugins/graph/src/a.ts', text: '/** Like\n * ledger_entry. */\nrun(); // Not kernel_org.\n' },
      { path: 'plugins/graph/src/b.ts', text: "const channel = 'ledger_entry_written';" },
      { path: 'plugins/graph/src/a.test.ts', text: reads('kernel_org') },
      { path: 'plugins/graph/test/a.ts', text: reads('kernel_org') },
    ];
    expect(foreignTables(files, owners)).toEqual([]);
  });
});
