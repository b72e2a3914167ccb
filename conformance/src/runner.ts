import { allCases } from './all-cases.ts';
import type { Wait } from './client.ts';
import { type Contract, readContract } from './contract.ts';
import { contractResults } from './contract-results.ts';
import type { ConformanceCase } from './define-case.ts';
import { type ExpectedFailures, readExpectedFailures } from './expected-failures.ts';
import { genericCases } from './generic-cases.ts';
import { type CaseResult, makeReport, type Report } from './report.ts';
import { runCase } from './run-case.ts';
import { RunResources } from './run-resources.ts';
import { readServed } from './served.ts';

export interface RunOptions {
  /** The base URL of the deployment, including the prefix under which it is mounted. */
  readonly url: string;
  /** An API key of a user who may create graphs; without one the run registers its users. */
  readonly key?: string;
  /** Runs only the cases whose ids begin with one of these; all by default. */
  readonly only?: readonly string[];
  /** Replaces this package's cases and those derived from the served document. */
  readonly cases?: readonly ConformanceCase[];
  /** Replaces this package's list. */
  readonly expectedFailures?: ExpectedFailures;
  /** Replaces this package's contract; null skips the comparison. */
  readonly contract?: Contract | null;
  /** True to fail for operations, queries and fields beyond the contract, which are otherwise only listed. */
  readonly exact?: boolean;
  /** True for a deployment without some plugins: what it does not serve is counted, and is no failure. */
  readonly subset?: boolean;
  /** Called after each case, with its place among all. */
  onResult?(result: CaseResult, progress: { readonly done: number; readonly all: number }): void;
  /** Called before the run waits for a rate limit. */
  onWait?(wait: Wait): void;
}

/** Tests any running deployment over HTTP. */
export async function runConformance(options: RunOptions): Promise<Report> {
  const startedAt = new Date();
  const served = await readServed(options.url);
  const isWanted = (id: string): boolean => options.only?.some((prefix) => id.startsWith(prefix)) ?? true;
  const contract = options.contract === undefined ? readContract() : options.contract;
  const mode = { isExact: options.exact === true, isSubset: options.subset === true };
  const compared = contract === null ? { results: [], additions: [] } : contractResults(contract, served, mode);
  const results = compared.results.filter(({ id }) => isWanted(id));
  const resources = new RunResources(options.url, served, options.key, { waiting: (wait) => options.onWait?.(wait) });
  const cases = (options.cases ?? [...allCases(), ...genericCases(served)]).filter(({ id }) => isWanted(id));
  requireUniqueIds(cases);
  for (const [index, each] of cases.entries()) {
    const result = await runCase(resources, each);
    options.onResult?.(result, { done: index + 1, all: cases.length });
    results.push(result);
  }
  const isWhole = options.only === undefined && options.cases === undefined;
  const additions = compared.additions.filter(({ id }) => isWanted(id)).map(({ where }) => where);
  const run = { url: options.url, startedAt, isWhole, additions };
  return makeReport(run, results, options.expectedFailures ?? readExpectedFailures());
}

function requireUniqueIds(cases: readonly ConformanceCase[]): void {
  const seen = new Set<string>();
  for (const { id } of cases) {
    if (seen.has(id)) throw new Error(`Two cases have the id ${id}.`);
    seen.add(id);
  }
}
