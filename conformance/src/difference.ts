export type DifferenceKind = 'missing' | 'extra' | 'changed';

/** One place where a deployment's document differs from the contract. */
export interface Difference {
  /** The unit it belongs to: an operation, a schema, a query, a type. Stable, and used in lists of known failures. */
  readonly id: string;
  readonly kind: DifferenceKind;
  /** The place inside the unit, readable; listed additions are matched by it. */
  readonly where: string;
  readonly expected: string;
  readonly actual: string;
}

/** The units that a comparison covered, and the differences found. */
export interface Comparison {
  /** Every compared unit, including those without differences. */
  readonly ids: readonly string[];
  readonly differences: readonly Difference[];
}

/** Describes a difference in one sentence. */
export function describeDifference(difference: Difference): string {
  const { kind, where, expected, actual } = difference;
  if (kind === 'missing') return `missing ${where}${expected === '' ? '' : `: expected ${expected}`}`;
  if (kind === 'extra') return `not in the contract: ${where}${actual === '' ? '' : ` (${actual})`}`;
  return `${where}: expected ${expected}, got ${actual}`;
}

/** Removes extras that are listed as additions; a `*` in a listed place stands for any text. */
export function withoutAdditions(differences: readonly Difference[], additions: readonly string[]): Difference[] {
  const patterns = additions.map((place) => new RegExp(`^${place.split('*').map(escapePattern).join('.*')}$`));
  return differences.filter(
    (difference) => difference.kind !== 'extra' || !patterns.some((pattern) => pattern.test(difference.where)),
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\/]/g, '\\$&');
}
