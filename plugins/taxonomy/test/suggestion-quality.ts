import type { LibraryCatalogue } from '../src/library/library-catalogue.ts';
import { type Outcome, outcomeOf, proposalOf } from '../src/mapping/auto-map-outcome.ts';
import { createSuggester } from '../src/mapping/suggest.ts';
import type { LabelledName } from './account-names.ts';

export interface Judged {
  readonly label: LabelledName;
  /** What auto-map would do. */
  readonly outcome: Outcome | 'unclassified';
  /** The concept that it would write or, when it skips, that it likes best. */
  readonly qname: string | undefined;
  readonly confidence: number;
  /** A written concept that may stand, or nothing written where nobody knows an answer. */
  readonly isRight: boolean;
}

/** What the scorer does with each name, without a model. */
export function judge(catalogue: LibraryCatalogue, labels: readonly LabelledName[]): readonly Judged[] {
  const suggester = createSuggester(catalogue);
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
  /** Of the names with an answer: how many got a right arc, approved or for review. */
  readonly coverage: number;
  /** Of the names without an answer: how many were left alone. */
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
