import { invalidInput } from '@pacioli/core';

/** The progress of the filing of a report; independent of the generation of its figures (P-1). */
export type FilingStatus = 'draft' | 'under_review' | 'filed' | 'archived';

/** The transitions of `transition-filing-status`; only `file-report` leads to `filed` (P-2, P-3). */
const transitions: Readonly<Record<FilingStatus, readonly FilingStatus[]>> = {
  draft: ['under_review'],
  under_review: ['draft'],
  filed: ['archived'],
  archived: [],
};

/** True for a report whose figures never change again (P-16). */
export function isImmutable(status: FilingStatus): boolean {
  return status === 'filed' || status === 'archived';
}

/** The status to move to; throws for a transition that is not allowed (P-2, P-3, P-6). */
export function transitionTo(reportId: string, from: FilingStatus, target: string): FilingStatus {
  const legal = transitions[from];
  const found = legal.find((status) => status === target);
  if (found !== undefined) return found;
  const hint = target === 'filed' ? " Use 'file-report' to file it." : '';
  throw invalidInput(
    `Report '${reportId}' cannot transition from '${from}' to '${target}'. Legal targets from here: [${legal.join(', ')}].${hint}`,
  );
}
