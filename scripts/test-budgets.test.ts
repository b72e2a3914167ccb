import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Budgets, budgetFaults, missingTimes, packageTimes } from './test-budgets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const budgets: Budgets = { calibrationSeconds: 0.1, packages: { core: 60, 'plugins/ledger': 200 } };

describe('packageTimes', () => {
  it('adds up the files of a package, the largest package first, and those of the repository as a dot', () => {
    const times = [
      { file: join(root, 'core/src/auth/expiry.test.ts'), seconds: 2 },
      { file: join(root, 'core/test/envelope.test.ts'), seconds: 3 },
      { file: join(root, 'plugins/ledger/src/domain/lines.test.ts'), seconds: 7 },
      { file: join(root, 'scripts/build.test.ts'), seconds: 1 },
    ];
    expect(packageTimes(root, times)).toEqual([
      { name: 'plugins/ledger', seconds: 7 },
      { name: 'core', seconds: 5 },
      { name: '.', seconds: 1 },
    ]);
  });
});

describe('missingTimes', () => {
  it('names the packages that have a budget and no recorded time', () => {
    expect(missingTimes([{ name: 'core', seconds: 1 }], budgets)).toEqual([
      expect.stringContaining('The tests of plugins/ledger have a budget'),
    ]);
    expect(missingTimes([], budgets)).toHaveLength(2);
  });
});

describe('budgetFaults', () => {
  it('accepts what takes less than half more than its budget, and names what takes more', () => {
    expect(budgetFaults([{ name: 'core', seconds: 90 }], budgets, 0.1)).toEqual([]);
    expect(budgetFaults([{ name: 'core', seconds: 91 }], budgets, 0.1)).toEqual([
      expect.stringContaining('The tests of core took 91 s of processor time; the limit on this machine is 90 s.'),
    ]);
  });

  it('gives a machine that is half as fast twice the time', () => {
    expect(budgetFaults([{ name: 'core', seconds: 180 }], budgets, 0.2)).toEqual([]);
    expect(budgetFaults([{ name: 'core', seconds: 181 }], budgets, 0.2)).toHaveLength(1);
  });

  it('asks for the budget of a package that has none, unless its tests take hardly any time', () => {
    expect(budgetFaults([{ name: 'plugins/new', seconds: 4 }], budgets, 0.1)).toEqual([]);
    expect(budgetFaults([{ name: 'plugins/new', seconds: 6 }], budgets, 0.1)).toEqual([
      'The tests of plugins/new took 6 s of processor time and have no budget. Add one to scripts/test-budgets.json.',
    ]);
  });
});
