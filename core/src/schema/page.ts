import { ServiceError } from '../errors/service-error.ts';

/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface PageRule {
  readonly defaultLimit: number;
  readonly maxLimit?: number;
  /** Clamps a limit that is out of bounds instead of refusing it. */
  readonly clampsLimit?: boolean;
}

/** The maximum rows of a page (platform E-22). */
const maxRows = 1_000;

/** The largest offset (platform E-24a). Beyond ±2^63 the database would fail instead of refusing. */
const maxOffset = 1_000_000_000;

/**
 * Returns the page for a query's arguments; null counts as absent (platform E-24). Throws `INVALID_PAGINATION` for a
 * limit out of bounds (platform E-22) and for an offset out of bounds (platform E-24a).
 */
export function pageOf(
  args: { readonly limit?: number | null; readonly offset?: number | null },
  { defaultLimit, maxLimit = maxRows, clampsLimit = false }: PageRule,
): Page {
  const [limit, offset] = [args.limit ?? defaultLimit, args.offset ?? 0];
  if (offset < 0) throw wrongPage('offset must not be negative. Begin with 0.');
  if (offset > maxOffset) throw wrongPage('offset must be at most 1,000,000,000. Narrow the list by its filters.');
  if (clampsLimit) return { limit: Math.min(Math.max(limit, 1), maxLimit), offset };
  if (limit < 1 || limit > maxLimit) throw wrongPage(`limit must be between 1 and ${maxLimit}`);
  return { limit, offset };
}

function wrongPage(message: string): ServiceError {
  return new ServiceError('invalid_input', 'INVALID_PAGINATION', message);
}
