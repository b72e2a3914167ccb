import { invalidInput, isGraphId, ServiceError } from '@pacioli/core';
import type { TermsIssue } from '../terms/index.ts';
import { normalizedText, requiredText } from '../values/index.ts';

const maxTypeChars = 60;
const maxSubtypeChars = 100;
const maxTermsBytes = 65_536;
const maxTermsDepth = 8;
const maxIssuesInSentence = 3;

export type Terms = Readonly<Record<string, unknown>>;

/** A security type: trimmed, 1 to 60 characters; unknown ones are accepted (I-10). */
export function securityTypeOf(text: string): string {
  return requiredText(text, 'security_type', maxTypeChars);
}

/** A subtype: free text of at most 100 characters, or none (I-10). */
export function subtypeOf(text: string | null | undefined): string | null {
  const subtype = normalizedText(text);
  if (subtype !== null && subtype.length > maxSubtypeChars)
    throw invalidInput(`security_subtype: at most ${maxSubtypeChars} characters are allowed, not ${subtype.length}.`);
  return subtype;
}

/**
 * Requires the form of a graph id that is not this graph's: whether the graph exists is not looked up, so that the
 * answer does not tell (S-3, S-4). Ids of shared repositories do not have this form.
 */
export function requireSourceGraph(sourceGraphId: string, ownGraphId: string): void {
  if (sourceGraphId === ownGraphId) throw invalidInput('source_graph_id cannot be this graph.');
  if (!isGraphId(sourceGraphId) || !sourceGraphId.startsWith('kg'))
    throw invalidInput(
      'source_graph_id: must be the id of a graph such as kg0123456789abcdef0123; a shared repository is not an issuer.',
    );
}

/** Requires terms of at most 64 KiB and 8 levels (S-8). */
export function requireTermsWithinLimits(terms: Terms): void {
  const bytes = Buffer.byteLength(JSON.stringify(terms));
  if (bytes > maxTermsBytes)
    throw invalidInput(`terms: at most ${maxTermsBytes} bytes of JSON are allowed, not ${bytes}.`);
  if (isDeeperThan(terms, maxTermsDepth)) throw invalidInput(`terms: at most ${maxTermsDepth} levels are allowed.`);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1));
}

/** A 422 that names each place by its JSON pointer, such as `/terms/interest_rate_bps` (T-4). */
export function termsRefused(issues: readonly TermsIssue[]): ServiceError {
  const shown = issues.slice(0, maxIssuesInSentence).map(({ pointer, message }) => `${pointer}: ${message}`);
  const more = issues.length - shown.length;
  const sentence = shown.join('; ') + (more > 0 ? ` (+${more} more)` : '');
  return new ServiceError('invalid_input', 'INVALID_INPUT', sentence, {
    issues: issues.map(({ pointer, message }) => ({
      loc: ['body', ...pointer.slice(1).split('/')],
      msg: message,
      type: 'value_error',
    })),
    details: { pointers: issues.map(({ pointer }) => pointer) },
  });
}

/** Returns the problem of more outstanding than authorized shares as a sentence, or undefined (S-6). */
export function problemOfShares(shares: {
  readonly authorized_shares: number | null;
  readonly outstanding_shares: number | null;
}): string | undefined {
  const { authorized_shares: authorized, outstanding_shares: outstanding } = shares;
  if (authorized === null || outstanding === null || outstanding <= authorized) return undefined;
  return `outstanding_shares: ${outstanding} are more than the ${authorized} authorized shares.`;
}
