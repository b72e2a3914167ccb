/**
 * An operation, a query or a field of an answer that the contract does not have is `added`: it changes no request and no
 * answer that a client knows. Whatever else goes beyond the contract is `extra`.
 */
export type DifferenceKind = 'missing' | 'added' | 'extra' | 'changed';

/** One difference of a deployment's OpenAPI document or GraphQL schema from the contract. */
export interface Difference {
  /** The operation, schema, query or type that differs. Stable, because lists of expected failures refer to it. */
  readonly id: string;
  readonly kind: DifferenceKind;
  /** The place within it, such as `property InitializeLedgerRequest.functional_currency`; patterns of permitted additions are matched with this text. */
  readonly where: string;
  /** Text for people, from the contract; empty if there is nothing to show. */
  readonly expected: string;
  /** The same, from the deployment. */
  readonly actual: string;
}

/** The result of a comparison with the contract. */
export interface Comparison {
  /** Ids of everything that was compared, so that ids without a difference count as passed. */
  readonly ids: readonly string[];
  readonly differences: readonly Difference[];
}

export function describeDifference(difference: Difference): string {
  const { kind, where, expected, actual } = difference;
  if (kind === 'missing') return `missing ${where}${expected === '' ? '' : `: expected ${expected}`}`;
  if (kind === 'extra' || kind === 'added')
    return `not in the contract: ${where}${actual === '' ? '' : ` (${actual})`}`;
  return `${where}: expected ${expected}, got ${actual}`;
}

/** Removes what goes beyond the contract with its permission; a `*` in a permitted place matches any text. */
export function withoutAdditions(differences: readonly Difference[], permittedPlaces: readonly string[]): Difference[] {
  const patterns = permittedPlaces.map((place) => new RegExp(`^${place.split('*').map(escapePattern).join('.*')}$`));
  return differences.filter(
    ({ kind, where }) => !['added', 'extra'].includes(kind) || !patterns.some((pattern) => pattern.test(where)),
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\/]/g, '\\$&');
}
