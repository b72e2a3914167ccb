import { ServiceError } from '@pacioli/core';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The page that a list's arguments ask for; a limit outside 1 to 1,000 is refused (taxonomy LB-19). */
export function pageOf(
  args: { readonly limit?: number | null; readonly offset?: number | null },
  limit_default: number,
): Page {
  const [limit, offset] = [args.limit ?? limit_default, args.offset ?? 0];
  if (limit < 1 || limit > 1_000) throw wrongPage('limit must be between 1 and 1000');
  if (offset < 0) throw wrongPage('offset must not be negative');
  return { limit, offset };
}

function wrongPage(message: string): ServiceError {
  return new ServiceError('invalid_input', 'INVALID_PAGINATION', message);
}
