import type { ConformanceCase } from './define-case.ts';
import { CaseFailure, CaseSkipped } from './expectations.ts';
import type { CaseResult } from './report.ts';
import type { RunResources } from './run-resources.ts';

const maxCaseMs = 180_000;

/** Runs one case and converts any error to a result. */
export async function runCase(resources: RunResources, each: ConformanceCase): Promise<CaseResult> {
  const { id, level, title, clause } = each;
  const started = performance.now();
  const result = (outcome: CaseResult['outcome'], ...messages: string[]): CaseResult => {
    return { id, level, title, clause, outcome, messages, duration_ms: Math.round(performance.now() - started) };
  };
  const missing = each.requires?.filter((name) => !resources.served.has(name)) ?? [];
  if (missing.length > 0) return result('skipped', `this deployment has no ${missing.join(', ')}`);
  try {
    await withinTime(each.run(resources.newCaseContext()));
    return result('passed');
  } catch (error) {
    if (error instanceof CaseSkipped) return result('skipped', error.message);
    if (error instanceof CaseFailure) return result('failed', error.message);
    // An unexpected response can make a case throw other errors, which count as failures with their cause.
    return result(
      'failed',
      error instanceof Error ? `${error.name}: ${error.message}${causeOf(error)}` : String(error),
    );
  }
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? ` (${error.cause.message})` : '';
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CaseFailure(`The case took more than ${maxCaseMs / 1000} s.`)), maxCaseMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
