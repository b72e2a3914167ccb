import { traitsCompatibleWith } from '../vocabulary/index.ts';

export interface TraitEvidence {
  readonly code: string | null;
  readonly parentTrait: string | null;
  /** What the words of the name say; undefined when nothing or several things. */
  readonly synonymTrait: string | undefined;
  readonly balanceType: string;
  /** The name speaks of a reduction, as in accumulated depreciation. */
  readonly isContraName: boolean;
}

export interface InferredTrait {
  readonly trait: string;
  /** 0 to 1; at least 0.8, or nothing is inferred. */
  readonly confidence: number;
}

const fromParent = 0.9;
const fromSynonym = 0.85;

/** Charts are numbered by class nearly everywhere; the eighth thousand holds gains and losses. */
const traitsByDigit: Readonly<Record<string, readonly string[]>> = {
  1: ['asset'],
  2: ['liability'],
  3: ['equity'],
  4: ['revenue'],
  5: ['expense'],
  6: ['expense'],
  7: ['expense', 'revenue'],
  8: ['revenue', 'expense'],
  9: ['expense', 'revenue'],
};

/**
 * The trait of an account that has none, for choosing candidates only; nothing is written (taxonomy AM-16). The code
 * and the balance side are weaker (0.6) than the bar, so they cannot decide, but they can contradict: then nothing is
 * inferred.
 */
export function inferTrait(evidence: TraitEvidence): InferredTrait | undefined {
  const found =
    evidence.parentTrait !== null
      ? { trait: evidence.parentTrait, confidence: fromParent }
      : evidence.synonymTrait !== undefined
        ? { trait: evidence.synonymTrait, confidence: fromSynonym }
        : undefined;
  if (found === undefined) return undefined;
  const group = traitsCompatibleWith(found.trait);
  const expected = /^\d{4,}/.test(evidence.code ?? '') ? traitsByDigit[evidence.code?.[0] ?? ''] : undefined;
  if (expected !== undefined && !expected.some((trait) => group.has(trait))) return undefined;
  const normal = group.has('asset') || group.has('expense') ? 'debit' : 'credit';
  if (evidence.balanceType === normal) return found;
  if (!evidence.isContraName) return undefined;
  return { ...found, trait: group.has('asset') ? 'contraAsset' : group.has('equity') ? 'contraEquity' : found.trait };
}
