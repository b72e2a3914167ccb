import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Budgets, budgetFaults, missingTimes, packageTimes } from './test-budgets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const budgets: Budgets = { calibrationSeconds: 0.1, packages: { core: 60, 'plugins/ledger': 200 } };

describe('packageTimes', () => {
  it('sums the files per package, largest first, and those of the repository itself as a dot', () => {
    const times = [
      { file: join(root, 'core/src/identity/keys/expiry.test.ts'), seconds: 2 },
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
  it('reports packages with a budget but without recorded time', () => {
    expect(missingTimes([{ name: 'core', seconds: 1 }], budgets)).toEqual([
      expect.stringContaining('The tests of plugins/ledger have a budget'),
    ]);
    expect(missingTimes([], budgets)).toHaveLength(2);
  });
});

describe('budgetFaults', () => {
  it('accepts up to half more than the budget, and reports packages above it', () => {
    expect(budgetFaults([{ name: 'core', seconds: 90 }], budgets, 0.1)).toEqual([]);
    expect(budgetFaults([{ name: 'core', seconds: 91 }], budgets, 0.1)).toEqual([
      expect.stringContaining('The tests of core took 91 s of processor time; the limit on this machine is 90 s.'),
    ]);
  });

  it('doubles the limit on a machine that is half as fast', () => {
    expect(budgetFaults([{ name: 'core', seconds: 180 }], budgets, 0.2)).toEqual([]);
    expect(budgetFaults([{ name: 'core', seconds: 181 }], budgets, 0.2)).toHaveLength(1);
  });

  it('keeps the limit on a machine whose calibration is faster', () => {
    expect(budgetFaults([{ name: 'core', seconds: 90 }], budgets, 0.05)).toEqual([]);
    expect(budgetFaults([{ name: 'core', seconds: 91 }], budgets, 0.05)).toHaveLength(1);
  });

  it('requires a budget for a package unless its tests are very fast', () => {
    expect(budgetFaults([{ name: 'plugins/new', seconds: 4 }], budgets, 0.1)).toEqual([]);
    expect(budgetFaults([{ name: 'plugins/new', seconds: 6 }], budgets, 0.1)).toEqual([
      'The tests of plugins/new took 6 s of processor time and have no budget. Add one to scripts/test-budgets.json.',
    ]);
  });
});
