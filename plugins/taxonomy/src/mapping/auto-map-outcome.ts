import { confidenceBand } from './coverage.ts';
import type { Suggestion } from './suggest.ts';

/** A concept for an account, and how sure that is. */
export interface Proposal {
  readonly targetId: string;
  readonly confidence: number;
}

export type Outcome = 'mapped' | 'flagged' | 'skipped';

/** What happens with a proposal (taxonomy AM-9): high is approved, medium waits for a person, the rest is not written. */
export function outcomeOf(proposal: Proposal | undefined): Outcome {
  const band = confidenceBand(proposal?.confidence ?? null);
  if (band === 'high') return 'mapped';
  return band === 'medium' ? 'flagged' : 'skipped';
}

/** The scorer's proposal; the catch-all of a section is for people only (taxonomy AM-15). */
export function proposalOf(suggestions: readonly Suggestion[]): Proposal | undefined {
  const [best] = suggestions;
  if (best === undefined || best.isFallback) return undefined;
  return { targetId: best.element.id, confidence: best.confidence };
}

export type StopReason = 'complete' | 'no_progress' | 'insufficient_credits' | 'pass_cap_reached';

export interface PassSummary {
  readonly unmappedLeft: number;
  /** Arcs that the pass wrote. */
  readonly written: number;
  /** Whether another pass could find something else: a scorer without a model gives the same answers again. */
  readonly mayDiffer: boolean;
  /** Whether the credits ended while a model was asked; what was left went to the scorer. */
  readonly isExhausted: boolean;
  readonly passes: number;
}

const maxPasses = 6;

/** Why a run ends after a pass; undefined when it goes on (taxonomy AM-11). */
export function stopAfter({
  unmappedLeft,
  written,
  mayDiffer,
  isExhausted,
  passes,
}: PassSummary): StopReason | undefined {
  if (unmappedLeft === 0) return 'complete';
  if (isExhausted) return 'insufficient_credits';
  if (written === 0 || !mayDiffer) return 'no_progress';
  return passes >= maxPasses ? 'pass_cap_reached' : undefined;
}
