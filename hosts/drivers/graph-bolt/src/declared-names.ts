import { type CatalogTable, GraphStoreError } from '@pacioli/core/ports';
import { unquotedName } from './text-spans.ts';

/** The bracket around a place in a statement. */
interface Bracket {
  readonly sign: string;
  readonly at: number;
}

/** A name after a colon and the kinds of tables that can have it there. */
interface UsedName {
  readonly name: string;
  readonly kinds: readonly CatalogTable['kind'][];
}

/**
 * Refuses labels and relationship types that the graph does not declare: the server would answer with no rows where an
 * engine with typed tables reports the mistake (graphs 21.4). Names whose kind is ambiguous are left to the server.
 */
export function requireDeclared(text: string, masked: string, tables: readonly CatalogTable[]): void {
  for (const { name, kinds } of usedNames(text, masked)) {
    if (tables.some((table) => table.name === name && kinds.includes(table.kind))) continue;
    const kind = kinds.length > 1 ? 'node or relationship' : kinds[0];
    throw new GraphStoreError('bind', `This graph has no ${kind} type ${name}.`);
  }
}

function usedNames(text: string, masked: string): readonly UsedName[] {
  const open: Bracket[] = [];
  const found: UsedName[] = [];
  for (let at = 0; at < masked.length; at += 1) {
    const sign = masked.charAt(at);
    if ('([{'.includes(sign)) open.push({ sign, at });
    else if (')]}'.includes(sign)) open.pop();
    else if (sign === ':' && masked.charAt(at + 1) !== ':' && masked.charAt(at - 1) !== ':') {
      const around = open.at(-1);
      const kinds = kindsAt(masked, around, at);
      if (kinds.length > 0) found.push(...namesAfter(text, masked, at).map((name) => ({ name, kinds })));
    }
  }
  return found;
}

/** The keys of a map have a colon too, so nothing is known directly inside of braces. */
function kindsAt(masked: string, around: Bracket | undefined, colon: number): readonly CatalogTable['kind'][] {
  const either = ['node', 'relationship'] as const;
  if (around === undefined) return either;
  if (around.sign === '{') return [];
  const isFirst = /^\s*(?:[A-Za-z_]\w*|`+)?\s*$/.test(masked.slice(around.at + 1, colon));
  if (around.sign === '[') return isFirst ? ['relationship'] : either;
  const before = masked.slice(0, around.at).trimEnd();
  const isPattern = isFirst && (/[,\->={]$/.test(before) || /\b(?:MATCH|CREATE|MERGE)$/i.test(before));
  return isPattern ? ['node'] : either;
}

/** The names of a label expression such as `:A|B` or `:A&!B`. */
function namesAfter(text: string, masked: string, colon: number): readonly string[] {
  const names: string[] = [];
  const next = /[\s!(]*(`+|[A-Za-z_]\w*)[\s)]*([|&]\s*:?)?/y;
  next.lastIndex = colon + 1;
  for (let found = next.exec(masked); found !== null; found = next.exec(masked)) {
    const [all, word = '', separator] = found;
    const start = found.index + all.indexOf(word);
    names.push(unquotedName(text.slice(start, start + word.length)));
    if (separator === undefined) break;
  }
  return names;
}
