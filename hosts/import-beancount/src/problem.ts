import { journalLimits } from './limits.ts';

/** One place in a journal that could not be used, with the sentence for the person who wrote it. */
export interface JournalProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** `file:line: sentence`, the form that editors turn into a link. */
export function describeProblem(problem: JournalProblem): string {
  return `${problem.file}:${problem.line}: ${problem.message}`;
}

/** Thrown when a journal cannot be read at all: nothing has been written when it is thrown. */
export class JournalError extends Error {
  readonly problems: readonly JournalProblem[];

  constructor(problems: readonly JournalProblem[]) {
    const shown = problems.slice(0, journalLimits.maxProblems).map(describeProblem);
    const hidden = problems.length - shown.length;
    const more = hidden > 0 ? [`(and ${hidden} more)`] : [];
    super(['The journal was not imported; correct these lines and run again.', ...shown, ...more].join('\n'));
    this.name = 'JournalError';
    this.problems = problems;
  }
}
