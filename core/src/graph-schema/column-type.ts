import type { ColumnType } from '../store/analytical.ts';

/** Types without parameters, by the names that a schema may use (graphs CS-1). */
const simpleTypes: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'STRING',
      'INT8',
      'INT16',
      'INT32',
      'INT64',
      'INT128',
      'UINT8',
      'UINT16',
      'UINT32',
      'UINT64',
      'FLOAT',
      'DOUBLE',
    ],
    ...['BOOLEAN', 'BLOB', 'DATE', 'TIMESTAMP', 'INTERVAL', 'UUID'],
  ].map((name): [string, string] => [name, name]),
).set('BOOL', 'BOOLEAN');

/** Types that every graph engine can store without loss. */
const baseTypes = /^(?:STRING|BOOLEAN|U?INT(?:8|16|32)|INT64|FLOAT|DOUBLE|DATE|TIMESTAMP)$/;
export const isBaseType = (type: ColumnType): boolean => baseTypes.test(type);
export const baseTypesHint = 'Use STRING, BOOLEAN, DATE, TIMESTAMP, or a number of at most 64 bits';

const containers = ['LIST', 'MAP', 'STRUCT', 'UNION', 'ARRAY'];
const maxDepth = 8;
const maxDecimalDigits = 38;
const maxArrayLength = 100_000;

export type ParsedType =
  | { readonly ok: true; readonly type: ColumnType }
  | { readonly ok: false; readonly reason: string };

/** Reads the type of a property and returns it in canonical form: upper case, one space after a comma. */
export function parseColumnType(text: string): ParsedType {
  const parser = new TypeParser(text);
  try {
    const type = parser.type(0);
    parser.end();
    return { ok: true, type };
  } catch (error) {
    if (error instanceof TypeProblem) return { ok: false, reason: error.message };
    throw error;
  }
}

class TypeProblem extends Error {}

/** A recursive-descent parser: `base`, `base(…)`, each followed by any number of `[]` and `[n]`. */
class TypeParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  type(depth: number): string {
    if (depth > maxDepth) throw new TypeProblem(`A type is nested at most ${maxDepth} levels deep`);
    let type = this.#base(depth);
    for (let found = this.#take(/\[\s*(\d*)\s*\]/y); found !== undefined; found = this.#take(/\[\s*(\d*)\s*\]/y)) {
      const [, length = ''] = found;
      if (length !== '' && (Number(length) < 1 || Number(length) > maxArrayLength))
        throw new TypeProblem(`An array has 1 to ${maxArrayLength} elements`);
      type += length === '' ? '[]' : `[${Number(length)}]`;
    }
    return type;
  }

  end(): void {
    if (this.#rest() !== '') throw new TypeProblem(`Unexpected '${this.#rest().slice(0, 20)}' after the type`);
  }

  #base(depth: number): string {
    const [word = ''] = this.#take(/[A-Za-z]\w*/y) ?? [];
    const name = word.toUpperCase();
    const simple = simpleTypes.get(name);
    if (simple !== undefined) return simple;
    if (name === 'DECIMAL') return this.#decimal();
    if (containers.includes(name)) return this.#container(name, depth);
    if (name === 'NODE' || name === 'REL') throw new TypeProblem('A property cannot be a node or a relationship');
    throw new TypeProblem(
      `Known types: ${[...simpleTypes.keys()].join(', ')}, DECIMAL(18,2), STRING[], INT64[3], MAP(STRING, INT64), STRUCT(a INT64), UNION(a INT64, b STRING)`,
    );
  }

  #decimal(): string {
    const [, precision, scale] = this.#take(/\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)/y) ?? [];
    const digits = Number(precision);
    if (precision === undefined || digits < 1 || digits > maxDecimalDigits || Number(scale) > digits)
      throw new TypeProblem(
        `Write DECIMAL(18,2): at most ${maxDecimalDigits} digits in all, and no more after the point`,
      );
    return `DECIMAL(${digits}, ${Number(scale)})`;
  }

  #container(name: string, depth: number): string {
    if (this.#take(/\(/y) === undefined || name === 'LIST' || name === 'ARRAY') {
      const examples: Readonly<Record<string, string>> = {
        MAP: 'MAP(STRING, INT64)',
        STRUCT: 'STRUCT(city STRING, zip STRING)',
        UNION: 'UNION(number INT64, text STRING)',
      };
      throw new TypeProblem(`${name}: give the element type, e.g. ${examples[name] ?? 'STRING[]'}`);
    }
    const members = name === 'MAP' ? this.#mapTypes(depth) : this.#fields(depth);
    if (this.#take(/\)/y) === undefined) throw new TypeProblem(`${name} needs a closing bracket`);
    return `${name}(${members.join(', ')})`;
  }

  #mapTypes(depth: number): string[] {
    const key = this.type(depth + 1);
    if (this.#take(/,/y) === undefined) throw new TypeProblem('MAP takes the types of key and value');
    return [key, this.type(depth + 1)];
  }

  #fields(depth: number): string[] {
    const fields: string[] = [];
    const names = new Set<string>();
    do {
      const [name] = this.#take(/[A-Za-z][A-Za-z0-9_]{0,63}(?=\s)/y) ?? [];
      if (name === undefined || names.has(name.toLowerCase()))
        throw new TypeProblem('Each field has a name of its own and a type, e.g. city STRING');
      names.add(name.toLowerCase());
      fields.push(`${name} ${this.type(depth + 1)}`);
    } while (this.#take(/,/y) !== undefined);
    return fields;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    this.#rest();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  #rest(): string {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.slice(this.#at);
  }
}
