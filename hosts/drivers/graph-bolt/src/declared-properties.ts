import { type CatalogTable, closingBracket, GraphStoreError, splitAtCommas } from '@pacioli/core/ports';
import { unquotedName } from './text-spans.ts';

const name = '(?:`+|[A-Za-z_]\\w*)(?![\\w`])';
const labelList = `:\\s*${name}(?:\\s*[|&:](?:\\s*:)?\\s*${name})*`;
/** The beginning of a node or relationship pattern, and what follows. An expression in brackets may look like one. */
const element = new RegExp(
  `([(]|-\\s*\\[)(?:\\s*(?!(?:WHERE|IS)\\b)(${name}))?(?:\\s*(${labelList}))?(?:\\s*\\*(?:\\s*[\\d.]+)?)?(?=\\s*([:|&!{)\\]$]|WHERE\\b|IS\\b))`,
  'dgi',
);
/** A property, and not the function of a namespace. */
const property = new RegExp(
  `(?<![\\w$\`]|\\.\\s*)(${name})\\s*\\.\\s*(${name})(?!(?:\\s*\\.\\s*[A-Za-z_]\\w*)*\\s*\\()`,
  'dg',
);
/** Names for the values of expressions: columns, the elements of lists, and the results of reductions. */
const valueName = new RegExp(`\\bAS\\s+(${name})|[([,|]\\s*(${name})\\s+IN\\b|reduce\\s*\\(\\s*(${name})\\s*=`, 'dgi');
/** Clauses that give values names in yet other ways. */
const otherNames = /\b(?:YIELD|LET|FOR)\b/i;
/** After these, a variable without a label may be another one than before. */
const newScope = /\b(?:WITH|UNION|CALL|EXISTS)\b|\b(?:COUNT|COLLECT)\s*\{|\[(?:\s*[\w`]+\s*=)?\s*\(/i;
/** Words before the bracket of a pattern; other ones are functions. */
const patternWord = /^(?:MATCH|CREATE|MERGE|WHERE|AND|OR|XOR|NOT|PATHS?|ANY|ALL|SHORTEST|WALK|TRAIL|ACYCLIC|CALL)$/i;
/** The most characters before a bracket that are looked at. */
const wordLength = 40;

interface Element {
  /** Empty for a pattern without a variable. */
  readonly variable: string;
  /** Undefined where the pattern has no labels, or has them in an expression other than a list of alternatives. */
  readonly labels: readonly string[] | undefined;
  /** The keys of its map. */
  readonly keys: readonly string[];
}

/**
 * Refuses properties that no table of a variable declares: the server would answer with null or no rows where an engine
 * with typed tables reports the mistake (graphs 21.4). Only variables of patterns are checked, and a variable whose
 * labels are not certain may have the properties of every table.
 */
export function requireDeclaredProperties(text: string, masked: string, tables: readonly CatalogTable[]): void {
  if (otherNames.test(masked)) return;
  const elements = elementsOf(text, masked);
  const labels = certainLabels(elements, newScope.test(masked));
  for (const found of masked.matchAll(valueName)) for (const value of namesIn(text, found)) labels.delete(value);
  for (const { variable, labels: own, keys } of elements) {
    const owner = variable === '' ? (own ?? []).join('|') : variable;
    const known = variable === '' ? own : labels.get(variable);
    if (variable !== '' && !labels.has(variable)) continue;
    for (const key of keys) requireProperty(key, owner, known, tables);
  }
  for (const found of masked.matchAll(property)) {
    const [variable = '', key = ''] = namesIn(text, found);
    if (labels.has(variable)) requireProperty(key, variable, labels.get(variable), tables);
  }
}

/** The labels that each variable may have; undefined where it may have any. */
function certainLabels(elements: readonly Element[], isScoped: boolean): Map<string, readonly string[] | undefined> {
  const found = new Map<string, readonly string[] | undefined>();
  for (const { variable, labels } of elements) {
    if (!found.has(variable)) found.set(variable, labels);
    else if (labels === undefined && isScoped) found.set(variable, undefined);
    else if (labels !== undefined && found.get(variable) !== undefined)
      found.set(variable, [...new Set([...(found.get(variable) ?? []), ...labels])]);
  }
  return found;
}

function requireProperty(
  key: string,
  owner: string,
  labels: readonly string[] | undefined,
  tables: readonly CatalogTable[],
): void {
  const isDeclared = tables.some(
    (table) => (labels?.includes(table.name) ?? true) && table.columns.some((column) => column.name === key),
  );
  if (!isDeclared) throw new GraphStoreError('bind', `Cannot find property ${key} for ${owner}.`);
}

function elementsOf(text: string, masked: string): readonly Element[] {
  return [...masked.matchAll(element)].flatMap((match) => {
    const [, bracket = '', variable, list, next = ''] = match;
    const [, , nameSpan, listSpan, [nextAt] = [0]] = match.indices ?? [];
    const before = bracket === '(' ? masked.slice(Math.max(0, match.index - wordLength), match.index) : '-';
    if (list === undefined && (variable === undefined || isCall(before))) return [];
    const isList = list !== undefined && !':|&!'.includes(next) && !/^IS$/i.test(next);
    const hasKeys = next === '{' && (isList || /(?:\b(?:MATCH|CREATE|MERGE)|->|-)\s*$/i.test(before));
    return [
      {
        variable: nameSpan === undefined ? '' : unquotedName(text.slice(...nameSpan)),
        labels: isList && listSpan !== undefined ? labelsIn(text, masked, listSpan) : undefined,
        keys: hasKeys ? keysOf(text, masked, nextAt + 1) : [],
      },
    ];
  });
}

/** True before the arguments of a function, as in `count(v)`. */
function isCall(before: string): boolean {
  const [word] = /[A-Za-z_]\w*$/.exec(before) ?? [];
  return word !== undefined && !patternWord.test(word);
}

function labelsIn(text: string, masked: string, [from, until]: readonly [number, number]): readonly string[] {
  return [...masked.slice(from, until).matchAll(new RegExp(name, 'g'))].map(({ 0: word, index }) =>
    unquotedName(text.slice(from + index, from + index + word.length)),
  );
}

function keysOf(text: string, masked: string, start: number): readonly string[] {
  return splitAtCommas(masked, start, closingBracket(masked, start)).flatMap(([from, until]) => {
    const [all, key = ''] = new RegExp(`^\\s*(${name})\\s*:`).exec(masked.slice(from, until)) ?? [];
    if (all === undefined) return [];
    const at = from + all.indexOf(key);
    return [unquotedName(text.slice(at, at + key.length))];
  });
}

/** The names that the groups of a match have in the statement. */
function namesIn(text: string, { indices }: RegExpExecArray): readonly string[] {
  return (indices ?? []).slice(1).flatMap((span) => (span === undefined ? [] : [unquotedName(text.slice(...span))]));
}
