import { readContract } from './contract.ts';
import { operationsOf } from './diff-openapi.ts';
import { formatExpectedFailures } from './expected-failures.ts';
import type { CaseResult, Report } from './report.ts';

/**
 * Lists a run's failures for review: missing parts of the contract by group, all others individually. Reasons of
 * entries that are already listed are kept.
 */
export function proposeExpectedFailures(report: Report): string {
  const tags = new Map(operationsOf(readContract().openapi).map(({ name, tag }) => [`openapi:${name}`, tag]));
  const groups = new Map<string, string[]>();
  for (const result of report.results) {
    if (result.outcome !== 'failed') continue;
    const reason = result.expected_failure ?? proposedReason(result, tags.get(result.id));
    groups.set(reason, [...(groups.get(reason) ?? []), result.id]);
  }
  return formatExpectedFailures(groups);
}

function proposedReason(result: CaseResult, tag: string | undefined): string {
  const [first = ''] = result.messages;
  if (first.startsWith('missing query')) return 'Not part of this version yet: queries.';
  if (first.startsWith('missing operation'))
    return `Not part of this version yet: ${(tag ?? 'others').replaceAll('_', ' ')}.`;
  // Responses can contain tokens, so a message is never used as a reason.
  return `${result.id}: state here why it fails.`;
}
