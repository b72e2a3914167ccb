import { journalLimits } from './limits.ts';

/** One invalid place in a journal, with a message for its author. */
export interface JournalProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Formats as `file:line: message`, which editors turn into a link. */
export function describeProblem(problem: JournalProblem): string {
  return `${problem.file}:${problem.line}: ${problem.message}`;
}

/** Thrown when a journal is invalid, always before anything is written. */
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
