import { describe, expect, it } from 'vitest';
import { ruleReference } from './rules-reference.ts';

const spec = {
  path: 'docs/spec/ledger.md',
  text: '# Books\n\n## 1. Money\n\n- **L-1** Amounts are <whole> numbers.\n- **L-2** Another.\n- **L-3** One more.\n',
};
const tests = {
  path: 'plugins/ledger/test/money.test.ts',
  text: "describe('money', () => {\n  it('is whole (ledger 1, L-1 to L-2)', run);\n});\n",
};

describe('ruleReference', () => {
  it('lists the tests that cite each rule and section, and the rules without one', () => {
    const { path, text, problems } = ruleReference([spec, tests]);
    expect(problems).toEqual([]);
    expect(path).toBe('docs/reference/rules.md');
    const link = '[money](../../plugins/ledger/test/money.test.ts)';
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        '| [ledger](../spec/ledger.md) | Books | 3 | 2 | 1 |',
        `| L-1 | Amounts are \\<whole\\> numbers. | ${link} |`,
        `| L-2 | Another. | ${link} |`,
        '| L-3 | One more. |  |',
        `| 1 | Money | ${link} |`,
        '| ledger | L-3 |',
      ]),
    );
  });

  it('does not depend on the order of the files', () => {
    const other = { path: 'plugins/ledger/test/again.test.ts', text: '// Cents, exactly (L-1).' };
    expect(ruleReference([spec, tests, other]).text).toBe(ruleReference([other, spec, tests]).text);
  });

  it('does not list a citation outside of tests, but checks it', () => {
    const code = { path: 'plugins/ledger/src/money.ts', text: '// Exact (L-3).\n\n// Gone since (ledger L-4).\n' };
    const { text, problems } = ruleReference([spec, code]);
    expect(text).toContain('| L-3 | One more. |  |');
    expect(problems).toEqual(['plugins/ledger/src/money.ts:3: docs/spec/ledger.md has no L-4.']);
  });

  it('reports comments that only cite, except in migrations, which are never edited', () => {
    const comment = (path: string) => ({ path, text: path.endsWith('.sql') ? '-- Ledger L-1.' : '/** L-1 */' });
    const { problems } = ruleReference([
      spec,
      comment('plugins/ledger/src/a.ts'),
      comment('core/src/migrations/1.sql'),
    ]);
    expect(problems).toEqual([
      'plugins/ledger/src/a.ts:1: The comment is nothing but a citation. Say why; the id may follow.',
    ]);
  });
});
