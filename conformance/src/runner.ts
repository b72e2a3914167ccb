import { allCases } from './all-cases.ts';
import { type Contract, compareWithContract, readContract } from './contract.ts';
import type { ConformanceCase } from './define-case.ts';
import { describeDifference } from './difference.ts';
import { type ExpectedFailures, readExpectedFailures } from './expected-failures.ts';
import { genericCases } from './generic-cases.ts';
import { type CaseResult, makeReport, type Report } from './report.ts';
import { runCase } from './run-case.ts';
import { RunResources } from './run-resources.ts';
import { readServed, type Served } from './served.ts';

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
  /** Called after each case. */
  onResult?(result: CaseResult): void;
}

/** Tests any running deployment over HTTP. */
export async function runConformance(options: RunOptions): Promise<Report> {
  const startedAt = new Date();
  const served = await readServed(options.url);
  const isWanted = (id: string): boolean => options.only?.some((prefix) => id.startsWith(prefix)) ?? true;
  const contract = options.contract === undefined ? readContract() : options.contract;
  const results = contract === null ? [] : contractResults(contract, served).filter(({ id }) => isWanted(id));
  const resources = new RunResources(options.url, served, options.key);
  const cases = (options.cases ?? [...allCases(), ...genericCases(served)]).filter(({ id }) => isWanted(id));
  requireUniqueIds(cases);
  for (const each of cases) {
    const result = await runCase(resources, each);
    options.onResult?.(result);
    results.push(result);
  }
  const run = { url: options.url, startedAt, isWhole: options.only === undefined && options.cases === undefined };
  return makeReport(run, results, options.expectedFailures ?? readExpectedFailures());
}

/** Each operation, schema, query and type of the contract is a separate check. */
function contractResults(contract: Contract, served: Served): CaseResult[] {
  const { ids, differences } = compareWithContract(contract, served);
  return ids.map((id) => {
    const messages = differences.filter((difference) => difference.id === id).map(describeDifference);
    return {
      id,
      level: 'MUST',
      title: `${id.replace(/^[a-z]+:/, '')} is served as the contract specifies`,
      clause: 'contract',
      outcome: messages.length === 0 ? 'passed' : 'failed',
      messages,
      duration_ms: 0,
    };
  });
}

function requireUniqueIds(cases: readonly ConformanceCase[]): void {
  const seen = new Set<string>();
  for (const { id } of cases) {
    if (seen.has(id)) throw new Error(`Two cases have the id ${id}.`);
    seen.add(id);
  }
}
