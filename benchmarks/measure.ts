import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

/** One figure, compared with the baseline. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly bare: number;
  /** `rate`: higher is better, the ratio is ours to bare in percent. `time`: lower is better, the ratio is a factor. */
  readonly kind: 'rate' | 'time';
  readonly goal: string;
  /** The name of the other side if it is not the bare engine. */
  readonly beside?: string;
  readonly note?: string;
}

/** Runs with the argument that follows its name on the command line, as in `growth=server:5000,25000`. */
export type Benchmark = (argument?: string) => Promise<readonly Figure[]>;

/** Calls `work` from `callers` loops until the time is over; returns calls per second. */
export async function rateOf(
  callers: number,
  seconds: number,
  work: (call: number) => Promise<unknown>,
): Promise<number> {
  let calls = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const loop = async (): Promise<void> => {
    while (performance.now() < until) {
      calls += 1;
      await work(calls);
    }
  };
  await Promise.all(Array.from({ length: callers }, loop));
  return (calls * 1000) / (performance.now() - started);
}

/** The median time of several runs, in milliseconds. */
export async function medianOf(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Alternates two measurements, so that changes of the machine's load affect both; each result is the median. */
export async function inTurns(
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<{ ours: number; bare: number }> {
  const figures = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    figures.bare.push(await bare());
    figures.ours.push(await ours());
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return { ours: median(figures.ours), bare: median(figures.bare) };
}

export function print(figure: Figure): void {
  const ratio = figure.ours / figure.bare;
  const text = figure.kind === 'rate' ? `${(ratio * 100).toFixed(0)} %` : `${ratio.toFixed(2)} ×`;
  const numbers = `ours ${rounded(figure.ours)} ${figure.unit}, ${figure.beside ?? 'bare'} ${rounded(figure.bare)} ${figure.unit}`;
  console.log(
    `${figure.name.padEnd(38)} ${text.padStart(8)}   goal ${figure.goal.padEnd(8)} (${numbers})${figure.note === undefined ? '' : `; ${figure.note}`}`,
  );
  const machine = `${cpus().length}x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  // The load includes the benchmark itself; a load far above the number of CPUs indicates other work.
  const load = Number((loadavg()[0] ?? 0).toFixed(2));
  const line = { at: new Date().toISOString(), commit: commit(), machine, load, ...figure, ratio };
  const file = new URL(`./results/${figure.name.split(/[ ,]/)[0]}.jsonl`, import.meta.url);
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
