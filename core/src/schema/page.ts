import { ServiceError } from '../errors/service-error.ts';

/** Part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface PageRule {
  readonly defaultLimit: number;
  readonly maxLimit?: number;
  /** A limit out of bounds becomes the nearest one instead of being refused. */
  readonly clampsLimit?: boolean;
}

/** The most rows that a list gives at once (platform E-22). */
const maxRows = 1_000;

/**
 * The page that a query's arguments ask for; null counts as absent (platform E-24). Throws `INVALID_PAGINATION` for a
 * limit out of bounds and for a negative offset, of which no list knows what it would mean (platform E-22).
 */
export function pageOf(
  args: { readonly limit?: number | null; readonly offset?: number | null },
  { defaultLimit, maxLimit = maxRows, clampsLimit = false }: PageRule,
): Page {
  const [limit, offset] = [args.limit ?? defaultLimit, args.offset ?? 0];
  if (offset < 0) throw wrongPage('offset must not be negative. Begin with 0.');
  if (clampsLimit) return { limit: Math.min(Math.max(limit, 1), maxLimit), offset };
  if (limit < 1 || limit > maxLimit) throw wrongPage(`limit must be between 1 and ${maxLimit}`);
  return { limit, offset };
}

function wrongPage(message: string): ServiceError {
  return new ServiceError('invalid_input', 'INVALID_PAGINATION', message);
}
