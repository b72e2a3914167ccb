import { createToken, type Token } from '../container/token.ts';

/** A kind of run whose records are removed before the retention of operations is over. */
export interface ShortLivedRun {
  readonly name: string;
  readonly keptSeconds: number;
}

export const shortLivedRuns: Token<readonly ShortLivedRun[]> = createToken('kernel.short-lived-runs');
