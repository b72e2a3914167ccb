import { type Page, pageOf } from '@pacioli/core';

/** Rows of a page of the books without `limit`, for the read and for its cost. */
export const defaultBookRows = 100;

/** The page of a list of books, where a limit out of bounds becomes the nearest one (ledger L-35a). */
export function bookPageOf(
  args: { readonly limit?: number | null; readonly offset?: number | null },
  defaultLimit: number,
): Page {
  return pageOf(args, { defaultLimit, clampsLimit: true });
}

/** What a list says about itself. */
export function paginationOf(page: Page, total: number, shown: number) {
  return { total, limit: page.limit, offset: page.offset, has_more: page.offset + shown < total };
}
