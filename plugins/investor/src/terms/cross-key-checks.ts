import type { JsonSchema } from './definitions.ts';

/** A problem of one value of terms. */
export interface TermsIssue {
  /** A JSON pointer from the body, such as `/terms/interest_rate_bps` (T-4). */
  readonly pointer: string;
  readonly message: string;
}

interface CrossKeyCheck {
  /** Paths of the two keys, from the terms. The issue is reported at the first. */
  readonly keys: readonly [string, string];
  /** Returns true for values that go together. It gets the terms for amounts that are 0 when absent. */
  isMet(first: unknown, second: unknown, terms: JsonSchema): boolean;
  /** The condition on the first key in words, such as "must be after issue_date". */
  readonly rule: string;
}

/** Dates are of one form, so their order as text is that in time. A kind may give a key other types; they go together. */
const isAfter = (first: unknown, second: unknown): boolean =>
  typeof first !== 'string' || typeof second !== 'string' || first > second;
const isAtMost = (first: unknown, second: unknown): boolean =>
  typeof first !== 'number' || typeof second !== 'number' || first <= second;
/** BigInt keeps sums exact. */
const amount = (value: unknown): bigint => (Number.isSafeInteger(value) ? BigInt(Number(value)) : 0n);

/** The checks of investor 4 that compare two keys. */
const checks: readonly CrossKeyCheck[] = [
  { keys: ['expiration_date', 'grant_date'], isMet: isAfter, rule: 'must be after grant_date' },
  { keys: ['expiration_date', 'issue_date'], isMet: isAfter, rule: 'must be after issue_date' },
  { keys: ['maturity_date', 'issue_date'], isMet: isAfter, rule: 'must be after issue_date' },
  {
    keys: ['called_cents', 'commitment_cents'],
    isMet: (called, commitment, { recallable_cents: recallable }) =>
      amount(called) <= amount(commitment) + amount(recallable),
    rule: 'must be at most commitment_cents and recallable_cents together',
  },
  { keys: ['exercised_shares', 'shares_underlying'], isMet: isAtMost, rule: 'must be at most shares_underlying' },
  {
    keys: ['vesting/cliff_months', 'vesting/total_months'],
    isMet: isAtMost,
    rule: 'must be at most vesting.total_months',
  },
  {
    keys: ['liquidation_preference/cap_multiple', 'liquidation_preference/participation'],
    isMet: (_cap, participation) => participation === 'capped_participating',
    rule: 'is only allowed if liquidation_preference.participation is capped_participating',
  },
];

/** Compares the keys that the instrument knows and the terms have. Values must have their types. */
export function crossKeyIssues(terms: JsonSchema, known: Readonly<Record<string, JsonSchema>>): readonly TermsIssue[] {
  return checks.flatMap(({ keys: [firstKey, secondKey], isMet, rule }) => {
    if (!isKnown(firstKey, known) || !isKnown(secondKey, known)) return [];
    const [first, second] = [valueAt(terms, firstKey), valueAt(terms, secondKey)];
    if (first === undefined || second === undefined || isMet(first, second, terms)) return [];
    return [{ pointer: `/terms/${firstKey}`, message: `${firstKey.replace('/', '.')} ${rule}` }];
  });
}

const isKnown = (path: string, known: Readonly<Record<string, JsonSchema>>): boolean =>
  known[path.split('/')[0] ?? ''] !== undefined;

function valueAt(terms: JsonSchema, path: string): unknown {
  return path.split('/').reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), terms);
}

function isFields(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
