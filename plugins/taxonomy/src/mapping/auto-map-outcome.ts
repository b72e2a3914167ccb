import { confidenceBand } from './coverage.ts';
import type { Suggestion } from './suggest.ts';

/** A concept for an account, with its confidence. */
export interface Proposal {
  readonly targetId: string;
  readonly confidence: number;
}

export type Outcome = 'mapped' | 'flagged' | 'skipped';

/** The outcome by confidence (taxonomy AM-9): high is approved, medium awaits review, anything lower is not written. */
export function outcomeOf(proposal: Proposal | undefined): Outcome {
  const band = confidenceBand(proposal?.confidence ?? null);
  if (band === 'high') return 'mapped';
  return band === 'medium' ? 'flagged' : 'skipped';
}

/** The scorer's proposal; the catch-all of a section is only offered to users (taxonomy AM-15). */
export function proposalOf(suggestions: readonly Suggestion[]): Proposal | undefined {
  const [best] = suggestions;
  if (best === undefined || best.isFallback) return undefined;
  return { targetId: best.element.id, confidence: best.confidence };
}

export type StopReason = 'complete' | 'no_progress' | 'insufficient_credits' | 'pass_cap_reached';

export interface PassSummary {
  readonly unmappedLeft: number;
  /** Arcs written in the pass. */
  readonly written: number;
  /** True when another pass could find something else; a scorer without a model repeats its answers. */
  readonly mayDiffer: boolean;
  /** True when credits ran out during the pass; the scorer decided the rest. */
  readonly isExhausted: boolean;
  readonly passes: number;
}

const maxPasses = 6;

/** The reason to stop after a pass; undefined to continue (taxonomy AM-11). */
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
