import { type CatalogTable, maskStatement } from '@pacioli/core/ports';
import { listCatalog, nameColumns } from '@pacioli/graph-statements';
import { requireOrderedAggregates } from './distinct-aggregates.ts';

const typeCall = '(?<![\\w$.:])type(?=\\s*\\()';
const hasTypeCall = new RegExp(typeCall, 'i');

/**
 * Rewrites what other engines call differently (graphs 21.4): `type(r)` is `label(r)` here, and the catalog procedures
 * are lists of what the catalog has. Columns keep the names that the caller's text gives them.
 */
export function portableStatement(text: string, catalog: readonly CatalogTable[]): string {
  requireOrderedAggregates(text);
  const listed = listCatalog(text, catalog);
  if (!hasTypeCall.test(maskStatement(listed).text)) return listed;
  const named = nameColumns(listed).text;
  const { text: masked } = maskStatement(named);
  let rewritten = '';
  let from = 0;
  for (const { index } of masked.matchAll(new RegExp(typeCall, 'gi'))) {
    rewritten += `${named.slice(from, index)}label`;
    from = index + 'type'.length;
  }
  return rewritten + named.slice(from);
}
