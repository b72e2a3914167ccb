import { bracketDepth, closingBracket, maskStatement, splitAtCommas } from '@pacioli/core/ports';
import {
  isWrite,
  openingWords,
  openingWriteWords,
  type RefusalKind,
  refusedPhrases,
  refusedWrites,
} from './cypher-words.ts';

/** The reason for refusing a statement, with the kind that determines the response status. */
export interface Refusal {
  readonly kind: RefusalKind | 'not-analyzed' | 'several-statements' | 'not-allowed' | 'too-large' | 'unstable-order';
  readonly message: string;
}

export type RuleOutcome =
  | { readonly isAllowed: true; readonly isWrite: boolean; readonly statement: string }
  | { readonly isAllowed: false; readonly refusal: Refusal };

export interface GateOptions {
  /** Procedures that only read the catalog, in lowercase; defined by the engine’s dialect (graphs E-5). */
  readonly readProcedures: readonly string[];
  /** The namespaces of functions that only compute, in lowercase; defined by the engine’s dialect (graphs E-5). */
  readonly functionNamespaces: readonly string[];
  /** The gate requests one row more than this, so that truncation is detected (graphs E-13). */
  readonly maxRows: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether the statement may change the graph, or else the message with which it is refused. */
  readonly writes: 'allowed' | { readonly refusal: string };
}

const maxStatementCharacters = 100_000;
const maxRangeSpan = 1_000_000;
const maxNesting = 50;

const messages: Readonly<Record<Exclude<RefusalKind, 'write'>, string>> = {
  bulk: 'Bulk operations (COPY, LOAD, IMPORT) are not allowed through the query endpoint.',
  administration: 'Administrative operations are not allowed through the query endpoint.',
  schema: 'Schema DDL operations are not allowed through the query endpoint.',
};

/** Adds the refused clause to a message, because it may be a name that only looks like a clause. */
function withClause(message: string, pattern: RegExp, masked: string): string {
  const clause = (pattern.exec(masked)?.[0] ?? '').trim().replace(/\s+/g, ' ').toUpperCase();
  return `${message} The statement has ${clause}; if it is the name of a property or label, put it in backticks.`;
}

/**
 * Decides from the text alone whether a statement may reach an engine. It is the boundary against file access, because
 * engines classify reading and writing files as reads (graphs Q-20); the engine’s own read-only flag is the second line
 * of defense.
 */
export function gateStatement(text: string, options: GateOptions): RuleOutcome {
  const { text: masked, complete } = maskStatement(text);
  const refusal = complete && text.length <= maxStatementCharacters ? refusalOf(text, masked, options) : notAnalyzed;
  if (refusal !== undefined) return { isAllowed: false, refusal };
  const statement = withoutSemicolon(text, masked);
  if (isWrite(masked)) return { isAllowed: true, isWrite: true, statement };
  return { isAllowed: true, isWrite: false, statement: withRowLimit(statement, options.maxRows + 1) };
}

/** True for a statement that writes, if the gate lets it through. */
export const changesRows = (text: string): boolean => isWrite(maskStatement(text).text);

const notAnalyzed: Refusal = {
  kind: 'not-analyzed',
  message:
    'The statement could not be analyzed: close every comment, text and quoted name, and use plain characters outside them.',
};

function refusalOf(text: string, masked: string, options: GateOptions): Refusal | undefined {
  // Only plain ASCII is allowed outside strings, quoted names and comments, to exclude look-alike letters and spaces.
  if (/[^\t\n\r\x20-\x7e]/.test(masked) || masked.includes('\\') || hasEscapedSign(text)) return notAnalyzed;
  if (/;\s*\S/.test(masked)) return { kind: 'several-statements', message: 'Only one statement per request.' };
  const phrase = refusedPhrases.find(([, pattern]) => pattern.test(masked));
  if (phrase !== undefined) {
    const [kind, pattern] = phrase;
    if (kind !== 'write') return { kind, message: withClause(messages[kind], pattern, masked) };
    if (options.writes !== 'allowed') return { kind, message: withClause(options.writes.refusal, pattern, masked) };
    const refusal = writeRefusal(masked);
    if (refusal !== undefined) return refusal;
  }
  return (
    openingRefusal(masked, options.writes === 'allowed') ??
    callRefusal(masked, options.readProcedures) ??
    functionRefusal(text, masked, options.functionNamespaces) ??
    orderRefusal(masked) ??
    nestingRefusal(masked) ??
    rangeRefusal(masked, options.parameters)
  );
}

/** Some engines decode `\u0027` before parsing, which would end a string early. */
function hasEscapedSign(text: string): boolean {
  for (const [, digits = ''] of text.matchAll(/\\u+([0-9a-f]{4})/gi)) {
    const code = Number.parseInt(digits, 16);
    if (code < 0x80 && !/[A-Za-z0-9 ]/.test(String.fromCharCode(code))) return true;
  }
  return false;
}

function openingRefusal(masked: string, mayWrite: boolean): Refusal | undefined {
  const [opening = ''] = /^\s*[A-Za-z]*/.exec(masked) ?? [];
  const words = mayWrite ? [...openingWords, ...openingWriteWords] : openingWords;
  if (words.includes(opening.trim().toUpperCase())) return undefined;
  return { kind: 'not-allowed', message: `A statement starts with one of ${words.join(', ')}.` };
}

/**
 * Where writes are allowed, they change rows and nothing else: each word that can also begin a change of the schema or
 * of the engine must be followed by a pattern or a variable (graphs SG-10).
 */
function writeRefusal(masked: string): Refusal | undefined {
  const other = refusedWrites.find((pattern) => pattern.test(masked));
  if (other === undefined) return undefined;
  const message =
    'A write is CREATE or MERGE with a pattern, SET, REMOVE, DELETE or DETACH DELETE with variables; ' +
    'the schema changes only through its own tools.';
  return { kind: 'schema', message: withClause(message, other, masked) };
}

/**
 * Allows `CALL` only for a listed procedure by its plain name; `CALL name = value` would change a setting (graphs Q-11,
 *
 */
function callRefusal(masked: string, readProcedures: readonly string[]): Refusal | undefined {
  for (const found of masked.matchAll(/(?<![\w$])CALL(?!\w)/gi)) {
    const rest = masked.slice(found.index + found[0].length);
    const [, name] = /^\s+([A-Za-z_][\w.]*)\s*\(/.exec(rest) ?? [];
    if (name === undefined)
      return { kind: 'administration', message: 'CALL takes the name of a procedure and its arguments, nothing else.' };
    if (!readProcedures.includes(name.toLowerCase())) {
      return {
        kind: 'write',
        message: `The procedure ${name} is not allowed. Allowed are: ${readProcedures.join(', ')}.`,
      };
    }
  }
  return undefined;
}

/** Functions of other namespaces were added by an operator and may read files or run statements. */
function functionRefusal(text: string, masked: string, namespaces: readonly string[]): Refusal | undefined {
  const calls = /(?<![\w`$.])(?:`+|[A-Za-z_]\w*)(?:\s*\.\s*(?:`+|[A-Za-z_]\w*))+(?=\s*\()/g;
  for (const { 0: found, index } of masked.matchAll(calls)) {
    if (/\bCALL\s+$/i.test(masked.slice(0, index))) continue;
    const name = text.slice(index, index + found.length).replaceAll(/[\s`]/g, '');
    if (namespaces.includes(name.split('.')[0]?.toLowerCase() ?? '')) continue;
    return { kind: 'write', message: `The function ${name} is not allowed.` };
  }
  return undefined;
}

/** The embedded engine loses rows when it orders by a literal and skips; ordering by a literal has no use anyway. */
function orderRefusal(masked: string): Refusal | undefined {
  for (const found of masked.matchAll(/\bORDER\s+BY\b/gi)) {
    const rest = masked.slice(found.index + found[0].length);
    const [clause = ''] = rest.split(/\b(?:SKIP|LIMIT|OFFSET|RETURN|MATCH|WITH|UNWIND|UNION|WHERE|CALL|ORDER)\b|;/i);
    for (const [from, until] of splitAtCommas(clause)) {
      const item = clause.slice(from, until);
      const key = item.replace(/\s+(?:ASC|ASCENDING|DESC|DESCENDING)\s*$/i, '').replaceAll(/^[\s(]+|[\s)]+$/g, '');
      if (/^(?:[-+]?[\d.][\d.e+\-*/%^\s]*|'+|\$\w+|true|false|null)$/i.test(key)) {
        return {
          kind: 'unstable-order',
          message: 'ORDER BY takes a column or expression, not a literal: name the column with AS and order by it.',
        };
      }
    }
  }
  return undefined;
}

/** The engine’s parser takes time cubic in the nesting depth and may end its process (graphs E-13). */
function nestingRefusal(masked: string): Refusal | undefined {
  let depth = 0;
  for (const [bracket] of masked.matchAll(/[([{)\]}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth > maxNesting) return { kind: 'too-large', message: `Brackets may be nested at most ${maxNesting} deep.` };
  }
  return undefined;
}

/** The engine builds the whole list of a range first, regardless of any limit (graphs E-13). */
function rangeRefusal(masked: string, parameters: Readonly<Record<string, unknown>>): Refusal | undefined {
  const tooLarge: Refusal = {
    kind: 'too-large',
    message: `range() may span at most ${maxRangeSpan} numbers, written as plain numbers or taken from the data.`,
  };
  for (const found of masked.matchAll(/\brange\s*\(/gi)) {
    const start = found.index + found[0].length;
    const bounds = splitAtCommas(masked, start, closingBracket(masked, start));
    const [from = '', to = ''] = bounds.map(([first, end]) => masked.slice(first, end));
    const [low, high] = [boundOf(from, parameters), boundOf(to, parameters)];
    if (low === 'arithmetic' || high === 'arithmetic') return tooLarge;
    if (low !== undefined && high !== undefined && Math.abs(high - low) > maxRangeSpan) return tooLarge;
    // A bound from the data cannot compensate for another one that is far away.
    if ([low, high].some((bound) => bound !== undefined && Math.abs(bound) > maxRangeSpan * 1_000)) return tooLarge;
  }
  return undefined;
}

function boundOf(text: string, parameters: Readonly<Record<string, unknown>>): number | 'arithmetic' | undefined {
  const bound = text.replaceAll(/^[\s(]+|[\s)]+$/g, '');
  if (/^[-+]?\s*\d+$/.test(bound)) return Number(bound.replaceAll(/\s/g, ''));
  if (bound.startsWith('$')) {
    const value = parameters[bound.slice(1)];
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  }
  return /^[\d\s+\-*/%^().e_x]+$/i.test(bound) ? 'arithmetic' : undefined;
}

function withoutSemicolon(text: string, masked: string): string {
  const end = masked.indexOf(';');
  return end < 0 ? text : text.slice(0, end);
}

/** Makes the engine stop where we would truncate if the final RETURN has no limit (graphs E-13). */
function withRowLimit(statement: string, maxRows: number): string {
  const { text: masked } = maskStatement(statement);
  const last = [...masked.matchAll(/(?<![\w.$:])RETURN(?!\w)/gi)].at(-1);
  const tail = last === undefined ? '' : masked.slice(last.index);
  const isOpen =
    last !== undefined && bracketDepth(masked, 0, last.index) === 0 && !/(?<![\w.$:])LIMIT(?!\w)/i.test(tail);
  if (!isOpen || /(?<![\w.$:])UNION(?!\w)/i.test(masked)) return statement;
  // On a separate line, because the statement may end with a comment.
  return `${statement}\nLIMIT ${maxRows}`;
}
