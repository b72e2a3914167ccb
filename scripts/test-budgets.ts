/** Compares the processor time that the tests of each package take with what `test-budgets.json` allows. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface FileTime {
  /** Absolute. */
  readonly file: string;
  readonly seconds: number;
}

export interface Budgets {
  /** The time of `calibrate` on the machine that the budgets were measured on. */
  readonly calibrationSeconds: number;
  /** Of each package, by its folder; `.` has the tests of the repository itself. */
  readonly packages: Readonly<Record<string, number>>;
}

export interface PackageTime {
  readonly name: string;
  readonly seconds: number;
}

/** A package may take this many times its budget before continuous integration fails. */
const tolerance = 1.5;
/** Time this small says nothing: starting the first engine of a process alone takes longer. */
const minSeconds = 5;

/** Adds up the times of files for each package, the largest first. */
export function packageTimes(root: string, times: readonly FileTime[]): readonly PackageTime[] {
  const sums = new Map<string, number>();
  for (const { file, seconds } of times) {
    const name = relative(root, packageOf(file)) || '.';
    sums.set(name, (sums.get(name) ?? 0) + seconds);
  }
  return [...sums].map(([name, seconds]) => ({ name, seconds })).sort((a, b) => b.seconds - a.seconds);
}

/** The nearest folder above the file that has a `package.json`. */
function packageOf(file: string): string {
  const folder = dirname(file);
  return folder === file || existsSync(join(folder, 'package.json')) ? folder : packageOf(folder);
}

/**
 * A sentence for each package that took more than half over its budget, or that has none. A machine on which the
 * calibration takes twice as long has twice the budget.
 */
export function budgetFaults(
  times: readonly PackageTime[],
  budgets: Budgets,
  calibrationSeconds: number,
): readonly string[] {
  const slowness = calibrationSeconds / budgets.calibrationSeconds;
  return times.flatMap(({ name, seconds }) => {
    const budget = budgets.packages[name];
    const taken = `The tests of ${name} took ${seconds.toFixed(0)} s of processor time`;
    if (budget === undefined)
      return seconds < minSeconds ? [] : [`${taken} and have no budget. Add one to scripts/test-budgets.json.`];
    const limit = Math.max(budget * slowness, minSeconds) * tolerance;
    if (seconds <= limit) return [];
    return [
      `${taken}; the limit on this machine is ${limit.toFixed(0)} s. Make them cheaper, or raise the budget in ` +
        'scripts/test-budgets.json and say why in the commit.',
    ];
  });
}

/** A sentence for each package with a budget whose tests have no time: nobody looked whether it holds. */
export function missingTimes(times: readonly PackageTime[], { packages }: Budgets): readonly string[] {
  const timed = new Set(times.map(({ name }) => name));
  return Object.keys(packages)
    .filter((name) => !timed.has(name))
    .map(
      (name) => `The tests of ${name} have a budget in scripts/test-budgets.json, but no processor time was recorded.`,
    );
}

/** The processor time of a fixed piece of work, which tells how fast a machine is: the best of five. */
export function calibrate(): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    const rows = Array.from({ length: 100_000 }, (_, index) => ({ id: `${index}`, value: (index * 7919) % 100_003 }));
    JSON.parse(JSON.stringify(rows.sort((a, b) => a.value - b.value)));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return Math.min(...runs);
}
