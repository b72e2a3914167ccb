const limit_max = 1000;

/** A page that lies within the bounds, whatever was asked for (ledger L-35a). */
export function pageOf(
  limit: number | undefined,
  offset: number | undefined,
  usual: number,
): { readonly limit: number; readonly offset: number } {
  return { limit: Math.min(Math.max(limit ?? usual, 1), limit_max), offset: Math.max(offset ?? 0, 0) };
}

/** What a list says about itself. */
export function paginationOf(page: { readonly limit: number; readonly offset: number }, total: number, shown: number) {
  return { total, limit: page.limit, offset: page.offset, has_more: page.offset + shown < total };
}
