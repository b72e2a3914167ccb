import { type Page, pageOf, type RawBuilder, sql } from '@pacioli/core';

/** The default page size of lists of the books, for the read and for its cost. */
export const defaultBookRows = 100;

/** The page of a list of the books; a limit out of bounds is clamped (ledger L-35a). */
export function bookPageOf(
  args: { readonly limit?: number | null; readonly offset?: number | null },
  defaultLimit: number,
): Page {
  return pageOf(args, { defaultLimit, clampsLimit: true });
}

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** True when rows follow the page. */
  readonly hasMore: boolean;
  /** The number of rows on all pages; counts them. */
  count(): Promise<number>;
}

/** A page with one row more, which tells whether others follow: counting all costs more with every year of the books. */
export function withOneMore(page: Page): Page {
  return { ...page, limit: page.limit + 1 };
}

/** Makes a page of the rows that were found for `withOneMore`. */
export function listPage<Row>(found: readonly Row[], page: Page, count: () => Promise<number>): ListPage<Row> {
  return { rows: found.slice(0, page.limit), hasMore: found.length > page.limit, count };
}

/**
 * Matches the rows of a page by their ids. The ids of skipped rows are read from an index alone, so that
 * only rows of the page are looked up, however deep it is.
 */
export function onPage(
  list: { readonly from: RawBuilder<unknown>; readonly order: RawBuilder<unknown> },
  page: Page,
): RawBuilder<boolean> {
  return sql<boolean>`id = ANY (ARRAY(SELECT id FROM ${list.from} ${list.order} LIMIT ${page.limit} OFFSET ${page.offset}))`;
}

/**
 * True for all rows. The indexes of lists serve only statements that constrain the column by which they are sorted, so
 * that no look-up by key can take one of them for the key (decision 0024).
 */
export function inOrderOf(column: 'posting_date' | 'date' | 'occurred_at'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} >= '-infinity'`;
}

/** A condition on a column; none without a value. */
export function equal(column: string, value: string | boolean | undefined): RawBuilder<unknown> {
  return value === undefined ? sql`` : sql`AND ${sql.ref(column)} = ${value}`;
}

/** The pagination fields of a list; the total is counted only for a caller who selects it. */
export function paginationOf(page: Page, list: Pick<ListPage<unknown>, 'hasMore' | 'count'>) {
  let counted: Promise<number> | undefined;
  const total = (): Promise<number> => {
    counted ??= list.count();
    return counted;
  };
  return { limit: page.limit, offset: page.offset, has_more: list.hasMore, total };
}
