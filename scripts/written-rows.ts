/** Finds types of rows that are written by hand although `npm run gen` writes the types of the columns. */
import type { Column } from '../hosts/standalone/src/generate/row-types.ts';
import type { SourceFile } from './rules-files.ts';

interface TableColumn extends Pick<Column, 'table' | 'name' | 'type'> {
  /** The folder of the package that has the table, relative to the root of the repository. */
  readonly folder: string;
}

const start = /\b(sql|query|stream)</g;
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--).*/gm;
/** A type that refers to another one, such as `LedgerEntry['status']`. */
const isDerived = /\['|\bPick<|\bRowOf</;

/**
 * One problem for each property of a statement's row that is a plain column of a table in the statement, in a type that
 * stands in the same file. A property is computed if the statement gives its name to an expression, or casts the column.
 * Only tests read tables of another package; they write the types, because packages do not export their rows.
 */
export function writtenRows(files: readonly SourceFile[], columns: readonly TableColumn[]): readonly string[] {
  // The reader of a JSON value names its type.
  const stored = columns.filter(({ type }) => type !== 'jsonb' && type !== 'json');
  return files
    .filter(({ path }) => path.endsWith('.ts'))
    .flatMap(({ path, text }) => {
      const own = stored.filter(({ folder }) => path.startsWith(`${folder}/`));
      const code = text.replace(comments, (comment) => comment.replace(/[^\n]/g, ' '));
      return statementsIn(code).flatMap(({ type, body, line }) => {
        const named = own.filter(({ table }) => wordIn(body, table));
        return propertiesOf(type, code)
          .flatMap((name) => selectedColumn(body, name, named) ?? [])
          .map(
            ({ table, name }) => `${path}:${line}: ${name} of ${table} is typed by hand. Use its type in rows.gen.ts.`,
          );
      });
    });
}

interface Statement {
  readonly type: string;
  /** The SQL, in which `?` stands for each value. */
  readonly body: string;
  readonly line: number;
}

/** The statements whose type of rows is given at `sql`, or at the call that runs them. */
function statementsIn(code: string): readonly Statement[] {
  return [...code.matchAll(start)].flatMap((found) => {
    const opening = found.index + found[0].length - 1;
    const end = closing(code, opening);
    const template = (found[1] === 'sql' ? /^\s*`/ : /^\s*\(\s*sql\s*`/).exec(code.slice(end + 1, end + 100));
    if (template === null) return [];
    const body = readTemplate(code, end + 1 + template[0].length).text;
    return [{ type: code.slice(opening + 1, end), body, line: code.slice(0, found.index).split('\n').length }];
  });
}

/** The text of a template whose first character is at `from`, and the index after its end. */
function readTemplate(code: string, from: number): { readonly text: string; readonly end: number } {
  let text = '';
  let index = from;
  while (index < code.length && code[index] !== '`') {
    if (!code.startsWith('${', index)) {
      text += code[index];
      index += 1;
      continue;
    }
    const end = closing(code, index + 1);
    // Fragments that stand in the template belong to the statement.
    const nested = code.slice(index + 2, end).match(/(?<=\bsql)`[^`]*`/g) ?? [];
    text += nested.length === 0 ? '?' : nested.map((part) => readTemplate(part, 1).text).join(' ');
    index = end + 1;
  }
  return { text, end: index + 1 };
}

/** The index of the bracket that closes the one at `opening`; angles are brackets only in the arguments of a type. */
function closing(code: string, opening: number): number {
  const [openings, closings] = code[opening] === '<' ? ['<{([', '>})]'] : ['{([', '})]'];
  let depth = 0;
  for (let index = opening; index < code.length; index += 1) {
    const character = code[index] ?? '';
    if (openings.includes(character)) depth += 1;
    else if (closings.includes(character) && !code.startsWith('=>', index - 1)) depth -= 1;
    else if (character === '`') index = readTemplate(code, index + 1).end - 1;
    if (depth === 0) return index;
  }
  return code.length;
}

/** The properties that a type writes by hand, itself or in the interfaces and aliases of the same file that it names. */
function propertiesOf(type: string, code: string): readonly string[] {
  const literals: string[] = [];
  const outside = withoutBrackets(type, (literal) => literals.push(literal));
  const declared = (outside.match(/\b[A-Z]\w*/g) ?? []).flatMap((name) => {
    const found = new RegExp(`\\b(?:interface ${name}\\b[^{]*(?=\\{)|type ${name} = )`).exec(code);
    if (found === null) return [];
    const from = found.index + found[0].length;
    const isAlias = found[0].startsWith('type');
    return propertiesOf(code.slice(from, isAlias ? endOfAlias(code, from) : closing(code, from) + 1), code);
  });
  // A column that the type also takes from its row is narrowed.
  const own = literals.flatMap(membersOf).filter((name) => !type.includes(`'${name}'`));
  return [...own, ...declared];
}

/** The text outside of all brackets; the content of curly ones is passed on. */
function withoutBrackets(text: string, onLiteral: (content: string) => void): string {
  let outside = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if ('<{(['.includes(character)) {
      const end = closing(text, index);
      if (character === '{') onLiteral(text.slice(index + 1, end));
      index = end;
    } else outside += character;
  }
  return outside;
}

function endOfAlias(code: string, from: number): number {
  let index = from;
  while (index < code.length && code[index] !== ';') {
    index = ('<{(['.includes(code[index] ?? '') ? closing(code, index) : index) + 1;
  }
  return index;
}

function membersOf(literal: string): readonly string[] {
  return literal
    .replace(/\{[\s\S]*\}/g, '{}')
    .split(/[;\n]/)
    .flatMap((member) => {
      const [, name, type] = /^\s*(?:readonly )?(\w+)\??: (.*)$/.exec(member) ?? [];
      return name === undefined || isDerived.test(type ?? '') ? [] : [name];
    });
}

/** The column that a statement selects under this name; undefined for a computed one. */
function selectedColumn(body: string, name: string, columns: readonly TableColumn[]): TableColumn | undefined {
  const given = [...body.matchAll(new RegExp(`\\s+AS\\s+"?${name}"?(?!\\w)`, 'gi'))];
  const expressions = given.map(({ index }) => expressionBefore(body, index));
  const plain = given.length > 0 ? expressions : wordIn(body, name) && !body.includes(`${name}::`) ? [name] : [];
  const selected = plain.map((expression) => /^(?:\w+\.)?(\w+)$/.exec(expression)?.[1]);
  if (selected.length === 0 || selected.includes(undefined)) return undefined;
  return columns.find((column) => selected.includes(column.name));
}

/** The expression of a list that ends at an index. */
function expressionBefore(body: string, end: number): string {
  let depth = 0;
  let from = end;
  while (from > 0) {
    const character = body[from - 1] ?? '';
    if (character === ')') depth += 1;
    if (depth === 0 && (character === ',' || character === '(')) break;
    if (character === '(') depth -= 1;
    from -= 1;
  }
  return body
    .slice(from, end)
    .replace(/^[\s\S]*\b(?:SELECT|DISTINCT|RETURNING)\b/i, '')
    .trim();
}

function wordIn(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text);
}
