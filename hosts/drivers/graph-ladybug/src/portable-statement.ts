import { type CatalogTable, closingBracket, maskStatement } from '@pacioli/core/ports';
import { listCatalog, nameColumns } from '@pacioli/graph-statements';
import { requireOrderedAggregates } from './distinct-aggregates.ts';

const renamedCall = /(?<![\w$.:])(type|timestamp)\s*\(/gi;

/** Text that replaces a part of the statement. */
interface Edit {
  readonly from: number;
  readonly until: number;
  readonly text: string;
}

/**
 * Rewrites what this engine calls differently (graphs 21.4): `type(r)` is `label(r)` here, `timestamp(text)` would ignore
 * the offset of its text, and the catalog procedures are lists of what the catalog has. Columns keep the names that the
 * caller's text gives them.
 */
export function portableStatement(text: string, catalog: readonly CatalogTable[]): string {
  requireOrderedAggregates(text);
  const listed = listCatalog(text, catalog);
  if (editsOf(listed).length === 0) return listed;
  const named = nameColumns(listed).text;
  let rewritten = '';
  let from = 0;
  for (const edit of editsOf(named)) {
    rewritten += named.slice(from, edit.from) + edit.text;
    from = edit.until;
  }
  return rewritten + named.slice(from);
}

function editsOf(statement: string): readonly Edit[] {
  const { text: masked } = maskStatement(statement);
  const edits = [...masked.matchAll(renamedCall)].flatMap(({ 0: opening, 1: name = '', index }) => {
    if (name.toLowerCase() === 'type') return [{ from: index, until: index + name.length, text: 'label' }];
    const end = closingBracket(masked, index + opening.length);
    return [
      { from: index, until: index + opening.length, text: 'CAST(CAST(' },
      { from: end, until: end + 1, text: ' AS TIMESTAMP_TZ) AS TIMESTAMP)' },
    ];
  });
  return edits.sort((left, right) => left.from - right.from);
}
