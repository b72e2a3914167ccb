/** Compares the processor time of the tests of each package with its budget in `test-budgets.json`. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface FileTime {
  /** An absolute path. */
  readonly file: string;
  readonly seconds: number;
}

export interface Budgets {
  /** The time of `calibrate` on the machine that the budgets were measured on. */
  readonly calibrationSeconds: number;
  /** The budget of each package, by folder; `.` is the repository itself. */
  readonly packages: Readonly<Record<string, number>>;
}

export interface PackageTime {
  readonly name: string;
  readonly seconds: number;
}

/** A package may take this many times its budget before continuous integration fails. */
const tolerance = 1.5;
/** Shorter times are not significant: starting the first engine of a process takes longer. */
const minSeconds = 5;

/** Sums the times of files per package, largest first. */
export function packageTimes(root: string, times: readonly FileTime[]): readonly PackageTime[] {
  const sums = new Map<string, number>();
  for (const { file, seconds } of times) {
    const name = relative(root, packageOf(file)) || '.';
    sums.set(name, (sums.get(name) ?? 0) + seconds);
  }
  return [...sums].map(([name, seconds]) => ({ name, seconds })).sort((a, b) => b.seconds - a.seconds);
}

/** Finds the nearest parent folder with a `package.json`. */
function packageOf(file: string): string {
  const folder = dirname(file);
  return folder === file || existsSync(join(folder, 'package.json')) ? folder : packageOf(folder);
}

/**
 * Returns a message for each package that exceeds its budget by more than half, or that has none. Budgets are larger
 * on a machine whose calibration takes longer. They are not smaller on a faster one, because the calibration is a short
 * burst of one thread and the tests share memory and disks with a second worker.
 */
export function budgetFaults(
  times: readonly PackageTime[],
  budgets: Budgets,
  calibrationSeconds: number,
): readonly string[] {
  const slowness = Math.max(1, calibrationSeconds / budgets.calibrationSeconds);
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

/** Returns a message for each package with a budget but without recorded time, whose budget was not checked. */
export function missingTimes(times: readonly PackageTime[], { packages }: Budgets): readonly string[] {
  const timed = new Set(times.map(({ name }) => name));
  return Object.keys(packages)
    .filter((name) => !timed.has(name))
    .map(
      (name) => `The tests of ${name} have a budget in scripts/test-budgets.json, but no processor time was recorded.`,
    );
}

/** Measures the speed of a machine: the processor time of fixed work, best of five. */
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
