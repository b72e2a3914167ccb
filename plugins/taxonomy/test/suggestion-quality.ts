import type { LibraryCatalog } from '../src/library/library-catalog.ts';
import { type Outcome, outcomeOf, proposalOf } from '../src/mapping/auto-map-outcome.ts';
import { createSuggester } from '../src/mapping/suggest.ts';
import type { LabeledName } from './account-names.ts';

export interface Judged {
  readonly label: LabeledName;
  /** The outcome of auto-map. */
  readonly outcome: Outcome | 'unclassified';
  /** The concept that auto-map would write or, when it skips, ranks first. */
  readonly qname: string | undefined;
  readonly confidence: number;
  /** True for an acceptable concept, or for no concept where there is no answer. */
  readonly isRight: boolean;
}

/** Judges the scorer's outcome for each name, without a model. */
export function judge(catalog: LibraryCatalog, labels: readonly LabeledName[]): readonly Judged[] {
  const suggester = createSuggester(catalog);
  return labels.map((label) => {
    const suggestions = suggester.suggest(label);
    const proposal = proposalOf(suggestions);
    const outcome = suggester.classify(label) === undefined ? 'unclassified' : outcomeOf(proposal);
    const best = suggestions.find(({ isFallback }) => !isFallback);
    const qname = best?.element.qname;
    const isWritten = outcome === 'mapped' || outcome === 'flagged';
    const isRight = isWritten ? label.concepts.includes(qname ?? '') : label.concepts.length === 0;
    return { label, outcome, qname, confidence: best?.confidence ?? 0, isRight };
  });
}

export interface Quality {
  readonly names: number;
  readonly approved: number;
  readonly approvedRight: number;
  readonly approvePrecision: number;
  readonly review: number;
  readonly reviewRight: number;
  readonly skipped: number;
  /** The share of names with an answer that got a right arc, approved or for review. */
  readonly coverage: number;
  /** The share of names without an answer that got no arc. */
  readonly leftAlone: string;
}

/** Counts and shares, three decimals. */
export function measure(judged: readonly Judged[]): Quality {
  const approved = judged.filter(({ outcome }) => outcome === 'mapped');
  const review = judged.filter(({ outcome }) => outcome === 'flagged');
  const answerable = judged.filter(({ label }) => label.concepts.length > 0);
  const unanswerable = judged.filter(({ label }) => label.concepts.length === 0);
  const right = (rows: readonly Judged[]) => rows.filter(({ isRight }) => isRight).length;
  const share = (part: number, whole: number) => (whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000);
  const written = [...approved, ...review];
  return {
    names: judged.length,
    approved: approved.length,
    approvedRight: right(approved),
    approvePrecision: share(right(approved), approved.length),
    review: review.length,
    reviewRight: right(review),
    skipped: judged.length - written.length,
    coverage: share(right(written), answerable.length),
    leftAlone: `${right(unanswerable)}/${unanswerable.length}`,
  };
}
