import { bracketDepth, maskStatement, splitAtCommas } from '@pacioli/core/ports';

interface ReturnItem {
  /** Position of the item's expression in the statement. */
  readonly from: number;
  readonly until: number;
  readonly expression: string;
  readonly alias: string | undefined;
}

/** A statement whose columns have the names that callers expect, and a way to select some of them as text. */
export interface NamedStatement {
  readonly text: string;
  /** Undefined where the final RETURN could not be split; the engine's own names are used then. */
  readonly names: readonly string[] | undefined;
  /**
   * The same statement with some columns cast to text, and with the texts of others in further columns behind all of
   * them; undefined where it could not be split.
   */
  withText(casts: readonly number[], texts?: readonly number[]): string | undefined;
}

const clauseAfterItems = /\b(ORDER\s+BY|SKIP|LIMIT|UNION)\b/gi;
const namePattern = /^(?:`(?:[^`]|``)+`|[A-Za-z_]\w*)$/;

/**
 * Gives unaliased items of the final RETURN their source text as alias, because the engine would name them by
 * its own normalized expression and merges columns of equal names (graphs Q-40).
 */
export function nameColumns(statement: string): NamedStatement {
  const items = finalItems(statement);
  if (items === undefined) return { text: statement, names: undefined, withText: () => undefined };
  const names = uniqueNames(items);
  const rewrite = (casts: readonly number[], texts: readonly number[]): string => {
    let text = statement;
    const further = texts.map(
      (index) => `, CAST(${items[index]?.expression} AS STRING) AS \`${textColumn(names, index)}\``,
    );
    text = `${text.slice(0, items.at(-1)?.until)}${further.join('')}${text.slice(items.at(-1)?.until)}`;
    for (const [index, item] of [...items.entries()].reverse()) {
      const name = names[index] ?? item.expression;
      const quotable = name === unsafeName ? `${name} ` : name.replaceAll('`', '``');
      // Without an alias in the text, an expression with a quoted name keeps the engine's name, and ours is for display.
      const alias = item.alias === undefined && name.includes('`') ? '' : ` AS \`${quotable}\``;
      const expression = casts.includes(index) ? `CAST(${item.expression} AS STRING)` : item.expression;
      text = `${text.slice(0, item.from)}${expression}${alias}${text.slice(item.until)}`;
    }
    return text;
  };
  return { text: rewrite([], []), names, withText: (casts, texts = []) => rewrite(casts, texts) };
}

/** The binding makes an object of each row, and this name would set its prototype instead of a value. */
const unsafeName = '__proto__';

/** A name for the text of a column that no column has. */
function textColumn(names: readonly string[], index: number): string {
  let name = `text ${index}`;
  while (names.includes(name)) name += ' ';
  return name;
}

function uniqueNames(items: readonly ReturnItem[]): string[] {
  const names: string[] = [];
  for (const item of items) {
    const name = item.alias ?? item.expression;
    let unique = name;
    for (let copy = 2; names.includes(unique); copy += 1) unique = `${name}_${copy}`;
    names.push(unique);
  }
  return names;
}

/** The items of the last RETURN, or undefined where the statement is too complex to split safely. */
function finalItems(statement: string): ReturnItem[] | undefined {
  const { text: masked, complete } = maskStatement(statement);
  const start = topLevelReturn(masked);
  if (!complete || start === undefined || /\bUNION\b/i.test(masked)) return undefined;
  let until = masked.length;
  clauseAfterItems.lastIndex = start;
  for (let found = clauseAfterItems.exec(masked); found !== null; found = clauseAfterItems.exec(masked)) {
    if (bracketDepth(masked, start, found.index) === 0 && isWordStart(masked, found.index)) {
      until = found.index;
      break;
    }
  }
  const semicolon = masked.indexOf(';', start);
  if (semicolon >= 0) until = Math.min(until, semicolon);
  const items = splitAtCommas(masked, start, until).map(([from, end]) => itemAt(statement, masked, from, end));
  const isPlain = items.every((item) => item.expression !== '' && item.expression !== '*');
  return isPlain ? items : undefined;
}

/** The position after the last RETURN [DISTINCT] that is not inside brackets. */
function topLevelReturn(masked: string): number | undefined {
  let last: number | undefined;
  for (const found of masked.matchAll(/\bRETURN(\s+DISTINCT)?\b/gi)) {
    if (bracketDepth(masked, 0, found.index) === 0 && isWordStart(masked, found.index))
      last = found.index + found[0].length;
  }
  return last;
}

/** Excludes a property, parameter or label that is spelled like a clause. */
const isWordStart = (masked: string, at: number): boolean => !/[.$:]/.test(masked.charAt(at - 1));

function itemAt(statement: string, masked: string, from: number, until: number): ReturnItem {
  const visible = masked.slice(from, until);
  // Blanks of the mask are blanks or comments, so trimming them leaves the item.
  const first = from + (visible.length - visible.trimStart().length);
  const last = first + visible.trim().length;
  const as = [...masked.slice(first, last).matchAll(/\s+AS\s+/gi)].filter(
    (found) => bracketDepth(masked, first, first + found.index) === 0,
  );
  const split = as.at(-1);
  const alias = split === undefined ? undefined : statement.slice(first + split.index + split[0].length, last);
  if (split === undefined || alias === undefined || !namePattern.test(alias)) {
    return { from: first, until: last, expression: statement.slice(first, last), alias: undefined };
  }
  const expression = statement.slice(first, first + split.index).trimEnd();
  return { from: first, until: last, expression, alias: plainName(alias) };
}

/** The name without its quotes, in which a backtick is doubled. */
const plainName = (name: string): string => (name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name);
