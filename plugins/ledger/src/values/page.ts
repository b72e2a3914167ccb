import { type Page, pageOf } from '@pacioli/core';

/** The default page size of lists of the books, for the read and for its cost. */
export const defaultBookRows = 100;

/** The page of a list of the books; a limit out of bounds is clamped (ledger L-35a). */
export function bookPageOf(
  args: { readonly limit?: number | null; readonly offset?: number | null },
  defaultLimit: number,
): Page {
  return pageOf(args, { defaultLimit, clampsLimit: true });
}

/** The pagination fields of a list. */
export function paginationOf(page: Page, total: number, shown: number) {
  return { total, limit: page.limit, offset: page.offset, has_more: page.offset + shown < total };
}
