/**
 * A server keeps a whole number whole where the column is DOUBLE. So the statement makes it a float before it is stored,
 * and what the statement returns or calculates is what the row has (graphs E-34).
 */
import { type CatalogTable, maskStatement } from '@pacioli/core/ports';
import { isFloatType } from './stored-values.ts';

type Span = readonly [from: number, until: number];

const name = '(`+[^`]*`+|[A-Za-z_]\\w*)';
const patternMap = /[([]\s*(?:`+|[A-Za-z_]\w*)?\s*:\s*(`+|[A-Za-z_]\w*)\s*\{/g;
const labelled = new RegExp(`[(\\[]\\s*${name}\\s*:\\s*${name}\\s*[)\\]{*]`, 'g');
const nextClause =
  /(?<![\w$.:`])(?<!\b(?:STARTS|ENDS)\s+)(?:MATCH|OPTIONAL|WITH|RETURN|CREATE|MERGE|DELETE|DETACH|REMOVE|UNWIND|ON|CALL|SET|UNION)(?!\w)|;/i;

/** The statement with `1.0 * (…)` around what is given to DOUBLE and FLOAT properties. Other values fail as before. */
export function withFloats(text: string, tables: readonly CatalogTable[]): string {
  const { text: masked } = maskStatement(text);
  const places = [...inPatterns(text, masked, tables), ...inAssignments(text, masked, tables)];
  let written = '';
  let from = 0;
  for (const [start, end] of places.sort((left, right) => left[0] - right[0])) {
    if (start < from) continue;
    written += `${text.slice(from, start)}1.0 * (${text.slice(start, end)})`;
    from = end;
  }
  return written + text.slice(from);
}

function inPatterns(text: string, masked: string, tables: readonly CatalogTable[]): readonly Span[] {
  return [...masked.matchAll(patternMap)].flatMap(({ 0: found, 1: label = '', index }) => {
    const start = index + found.length;
    const at = index + found.lastIndexOf(label);
    const table = unquoted(text.slice(at, at + label.length));
    return inMap(text, masked, start, (property) => isFloat(tables, table, property));
  });
}

function inAssignments(text: string, masked: string, tables: readonly CatalogTable[]): readonly Span[] {
  const labels = new Map(
    [...text.matchAll(labelled)].map(([, variable = '', label = '']) => [variable, unquoted(label)]),
  );
  return [...masked.matchAll(/(?<![\w$.:`])SET\s/gi)].flatMap(({ 0: word, index }) => {
    const start = index + word.length;
    const end = endAt(masked, start, nextClause);
    return parts(masked, [start, end]).flatMap((item) => inItem(text, masked, item, tables, labels));
  });
}

/** `a.d = value`, `a = {d: value}` or `a += {d: value}`. */
function inItem(
  text: string,
  masked: string,
  [from, until]: Span,
  tables: readonly CatalogTable[],
  labels: ReadonlyMap<string, string>,
): readonly Span[] {
  const found = new RegExp(`^\\s*${name}(?:\\s*\\.\\s*${name})?\\s*\\+?=\\s*(\\{)?`).exec(text.slice(from, until));
  const [all = '', variable = '', property, brace] = found ?? [];
  const label = labels.get(variable);
  if (property !== undefined)
    return isFloat(tables, label, unquoted(property)) ? valueAt(text, [from + all.length, until]) : [];
  if (brace === undefined) return [];
  return inMap(text, masked, from + all.length, (each) => isFloat(tables, label, each));
}

function inMap(text: string, masked: string, start: number, wanted: (property: string) => boolean): readonly Span[] {
  return parts(masked, [start, endAt(masked, start, /\}/)]).flatMap(([from, until]) => {
    const [key = '', property = ''] = new RegExp(`^\\s*${name}\\s*:`).exec(text.slice(from, until)) ?? [];
    return property !== '' && wanted(unquoted(property)) ? valueAt(text, [from + key.length, until]) : [];
  });
}

/** The place of a value without the blanks around it; none for a float as written. */
function valueAt(text: string, [from, until]: Span): readonly Span[] {
  const value = text.slice(from, until);
  if (value.trim() === '' || /^\s*[-+]?\d*\.\d+(?:e[-+]?\d+)?\s*$/i.test(value)) return [];
  return [[from + (value.length - value.trimStart().length), from + value.trimEnd().length]];
}

/** A variable whose label the text does not tell is one of the tables that have the property. */
function isFloat(tables: readonly CatalogTable[], table: string | undefined, property: string): boolean {
  const types = tables
    .filter(({ name: each }) => table === undefined || each === table)
    .flatMap(({ columns }) => columns.filter((column) => column.name === property).map(({ type }) => type));
  return types.length > 0 && types.every(isFloatType);
}

const unquoted = (given: string): string => given.replaceAll('`', '');

function parts(masked: string, [from, until]: Span): readonly Span[] {
  const found: Span[] = [];
  for (let at = from; at < until; ) {
    const end = Math.min(until, endAt(masked, at, /,/));
    found.push([at, end]);
    at = end + 1;
  }
  return found;
}

/** The first place outside of inner brackets where the rest begins with this. */
function endAt(masked: string, from: number, wanted: RegExp): number {
  const begins = new RegExp(wanted.source, `${wanted.flags}y`);
  let depth = 0;
  for (let at = from; at < masked.length; at += 1) {
    begins.lastIndex = at;
    if (depth === 0 && begins.test(masked)) return at;
    const sign = masked.charAt(at);
    if ('([{'.includes(sign)) depth += 1;
    if (')]}'.includes(sign)) depth -= 1;
  }
  return masked.length;
}
