/**
 * Makes floats of the values that a statement gives to DOUBLE and FLOAT properties, because the server would store a whole
 * number as such. The conversion is part of the statement, so that it returns and calculates with what is stored (graphs
 * E-34).
 */
import { type CatalogTable, maskStatement, splitAtCommas } from '@pacioli/core/ports';
import { isFloatType } from './stored-values.ts';
import { type Span, terminatorAt, unquotedName } from './text-spans.ts';

const name = '(`+[^`]*`+|[A-Za-z_]\\w*)';
const patternMap = /[([]\s*(?:`+|[A-Za-z_]\w*)?\s*:\s*(`+|[A-Za-z_]\w*)\s*\{/g;
/** In a masked statement, where a quoted name is quotes only. */
const labeled = /[([]\s*(`+|[A-Za-z_]\w*)\s*:\s*(`+|[A-Za-z_]\w*)\s*[)\]{*]/dg;
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
    const table = unquotedName(text.slice(at, at + label.length));
    return inMap(text, masked, start, (property) => isFloat(tables, table, property));
  });
}

function inAssignments(text: string, masked: string, tables: readonly CatalogTable[]): readonly Span[] {
  const labels = new Map(
    [...masked.matchAll(labeled)].map(({ indices }) => {
      const [, variable = [0, 0], label = [0, 0]] = indices ?? [];
      return [text.slice(...variable), unquotedName(text.slice(...label))];
    }),
  );
  return [...masked.matchAll(/(?<![\w$.:`])SET\s/gi)].flatMap(({ 0: keyword, index }) => {
    const start = index + keyword.length;
    const end = terminatorAt(masked, [start, masked.length], nextClause);
    return splitAtCommas(masked, start, end).flatMap((item) => inItem(text, masked, item, tables, labels));
  });
}

/** The values of one assignment: `a.d = value`, `a = {d: value}` or `a += {d: value}`. */
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
    return isFloat(tables, label, unquotedName(property)) ? valueAt(text, [from + all.length, until]) : [];
  if (brace === undefined) return [];
  return inMap(text, masked, from + all.length, (each) => isFloat(tables, label, each));
}

function inMap(
  text: string,
  masked: string,
  start: number,
  isConverted: (property: string) => boolean,
): readonly Span[] {
  const end = terminatorAt(masked, [start, masked.length], /\}/);
  return splitAtCommas(masked, start, end).flatMap(([from, until]) => {
    const [key = '', property = ''] = new RegExp(`^\\s*${name}\\s*:`).exec(text.slice(from, until)) ?? [];
    return property !== '' && isConverted(unquotedName(property)) ? valueAt(text, [from + key.length, until]) : [];
  });
}

/** The span of a value without surrounding blanks; none for a float literal, which needs no conversion. */
function valueAt(text: string, [from, until]: Span): readonly Span[] {
  const value = text.slice(from, until);
  if (value.trim() === '' || /^\s*[-+]?\d*\.\d+(?:e[-+]?\d+)?\s*$/i.test(value)) return [];
  return [[from + (value.length - value.trimStart().length), from + value.trimEnd().length]];
}

/** True if the property is a float; where the table is unknown, in every table that has the property. */
function isFloat(tables: readonly CatalogTable[], table: string | undefined, property: string): boolean {
  const types = tables
    .filter(({ name: each }) => table === undefined || each === table)
    .flatMap(({ columns }) => columns.filter((column) => column.name === property).map(({ type }) => type));
  return types.length > 0 && types.every(isFloatType);
}
