import { type Page, pageOf } from '@pacioli/core';

/** The default page size of lists, for the read and for its cost. */
export const defaultRows = 100;

/** The page of a list; a limit out of bounds is clamped. */
export function listPageOf(args: { readonly limit?: number | null; readonly offset?: number | null }): Page {
  return pageOf(args, { defaultLimit: defaultRows, clampsLimit: true });
}

/** One page of a list. */
interface Listed {
  readonly hasMore: boolean;
  /** The number of rows on all pages; counts them. */
  count(): Promise<number>;
}

/** The pagination fields of a list; the total is counted only for a caller who selects it. */
export function paginationOf(page: Page, list: Listed) {
  let counted: Promise<number> | undefined;
  const total = (): Promise<number> => {
    counted ??= list.count();
    return counted;
  };
  return { limit: page.limit, offset: page.offset, has_more: list.hasMore, total };
}
