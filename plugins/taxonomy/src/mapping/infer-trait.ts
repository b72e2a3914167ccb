import { traitsCompatibleWith } from '../vocabulary/index.ts';

export interface TraitEvidence {
  readonly code: string | null;
  readonly parentTrait: string | null;
  /** The trait that the words of the name imply; undefined when they imply none or several. */
  readonly synonymTrait: string | undefined;
  readonly balanceType: string;
  /** True when the name contains a reduction, such as accumulated depreciation. */
  readonly isContraName: boolean;
}

export interface InferredTrait {
  readonly trait: string;
  /** 0 to 1; at least 0.8, or nothing is inferred. */
  readonly confidence: number;
}

const fromParent = 0.9;
const fromSynonym = 0.85;

/** Most charts are numbered by class; 8000 holds gains and losses. */
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
 * Infers the trait of an account without one, only to choose candidates; nothing is written (taxonomy AM-16). Code and
 * balance side (0.6) are below the threshold, so they cannot decide, but a contradiction prevents the inference.
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
