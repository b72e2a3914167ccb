import { literal, quoted } from '@pacioli/worker-process/duckdb-text';
import { type Field, type ValueType, valueType } from '@pacioli/worker-process/value-types';

/** Casts a scalar, or gives null where it does not fit. */
type ScalarCast = (value: string, type: string, given: string) => string;

/** A value as JSON, or in a type of the engine. */
type Given = ValueType | 'json';

/** Marks the texts that are numbers in the file. It is not a character, so no text should have it. */
const mark = 'chr(64976)';
const hasMark = String.raw`(?i)\x{FDD0}|\\uFDD0`;
/** Matches the texts and signs before the next number, and that number; at the end the second group is empty. */
const upToNumber = String.raw`((?:"(?:[^"\\]|\\.)*"|[^"0-9NI-])*)(-?[0-9NI][-+0-9A-Za-z.]*|$)`;
/** A double does not change other numbers; large ones without a fraction are texts to the engine. */
const changedNumber = '[0-9][.eE]|-0|[NI]';
const numbersOnly = String.raw`^\s*\[[-+0-9.eE,\s]*\]\s*$`;

/**
 * The value as a list, map or record of the declared type; null where a value in it does not fit by the rules of scalars,
 * where a record has a field more, and where a key of a map comes twice. `given` is the type in which the file has it;
 * text is JSON.
 */
export function nestedCast(value: string, type: string, given: string, scalarCast: ScalarCast): string {
  return new NestedCast(scalarCast).cast(value, valueType(type), valueType(given));
}

const isText = (given: Given): boolean =>
  given !== 'json' && given.kind === 'scalar' && ['VARCHAR', 'JSON'].includes(given.type);

/** True if each item that is not null is still there. */
function isWhole(items: string, cast: string, length: number | undefined): string {
  return `list_count(${cast}) = list_count(${items})${length === undefined ? '' : ` AND len(${items}) = ${length}`}`;
}

class NestedCast {
  readonly #scalarCast: ScalarCast;
  #names = 0;

  constructor(scalarCast: ScalarCast) {
    this.#scalarCast = scalarCast;
  }

  cast(value: string, declared: ValueType, given: Given): string {
    if (declared.kind === 'scalar') return this.#scalar(value, declared.type, given);
    if (isText(given)) return this.#text(value, declared);
    if (declared.kind === 'list') return this.#list(value, declared, given);
    return declared.kind === 'map' ? this.#map(value, declared, given) : this.#struct(value, declared.fields, given);
  }

  #scalar(value: string, type: string, given: Given): string {
    if (given !== 'json') {
      if (given.kind === 'scalar') return this.#scalarCast(value, type, given.type);
      return type === 'STRING' ? `CAST(${value} AS VARCHAR)` : 'NULL';
    }
    const text = this.#bind(
      `json_extract_string(${value}, '$')`,
      (each) => `CASE WHEN starts_with(${each}, ${mark}) THEN substr(${each}, 2)
        WHEN contains(${each}, ${mark}) THEN regexp_replace(${each}, '"' || ${mark} || '([^"]*)"', '\\1', 'g')
        ELSE ${each} END`,
    );
    return this.#bind(text, (each) => this.#scalarCast(each, type, 'VARCHAR'));
  }

  /** Numbers become texts with a mark before the engine reads the JSON, because it reads them as doubles. */
  #text(value: string, declared: ValueType): string {
    return this.#bind(value, (text) => {
      const marked = `left(regexp_replace(${text}, '${upToNumber}', '\\1"' || ${mark} || '\\2"', 'gs'), -3)`;
      const exact = `CASE WHEN regexp_matches(${text}, '${changedNumber}') THEN ${marked} ELSE ${text} END`;
      const cast = this.#bind(`TRY_CAST(${exact} AS JSON)`, (json) => this.cast(json, declared, 'json'));
      return `CASE ${this.#numbers(text, declared)}
        WHEN json_valid(${text}) AND NOT regexp_matches(${text}, '${hasMark}') THEN ${cast} END`;
    });
  }

  /** Long lists of floating numbers at once: a double does not change them. */
  #numbers(text: string, declared: ValueType): string {
    if (declared.kind !== 'list' || declared.item.kind !== 'scalar') return '';
    const { type } = declared.item;
    if (type !== 'FLOAT' && type !== 'DOUBLE') return '';
    const numbers = this.#bind(`TRY_CAST(TRY_CAST(${text} AS JSON) AS ${type}[])`, (items) => {
      const hasLength = declared.length === undefined ? '' : ` AND len(${items}) = ${declared.length}`;
      return `CASE WHEN len(list_filter(${items}, lambda item: isfinite(item))) = len(${items})${hasLength} THEN ${items} END`;
    });
    return `WHEN regexp_matches(${text}, '${numbersOnly}') THEN ${numbers}`;
  }

  #list(value: string, { item, length }: ValueType & { kind: 'list' }, given: Given): string {
    if (given !== 'json' && given.kind !== 'list') return 'NULL';
    return this.#bind(given === 'json' ? `TRY_CAST(${value} AS JSON[])` : value, (items) => {
      const casts = this.#each(items, (each) => this.cast(each, item, given === 'json' ? given : given.item));
      return this.#bind(casts, (cast) => `CASE WHEN ${isWhole(items, cast, length)} THEN ${cast} END`);
    });
  }

  #map(value: string, { key, value: content }: ValueType & { kind: 'map' }, given: Given): string {
    if (given !== 'json' && given.kind !== 'map') return 'NULL';
    const isJson = given === 'json';
    const keys = isJson ? `json_keys(${value})` : `map_keys(${value})`;
    const values = isJson
      ? this.#each(`json_extract(${value}, '$.*')`, (each) => `CASE WHEN json_type(${each}) <> 'NULL' THEN ${each} END`)
      : `map_values(${value})`;
    const keyGiven: ValueType = isJson ? { kind: 'scalar', type: 'VARCHAR' } : given.key;
    const valueGiven: Given = isJson ? given : given.value;
    const cast = this.#bind(`struct_pack(k := ${keys}, v := ${values})`, (of) => {
      const castKeys = this.#each(`${of}.k`, (each) => this.cast(each, key, keyGiven));
      const castValues = this.#each(`${of}.v`, (each) => this.cast(each, content, valueGiven));
      return this.#bind(
        `struct_pack(k := ${castKeys}, v := ${castValues})`,
        (
          done,
        ) => `CASE WHEN list_count(list_distinct(${done}.k)) = len(${of}.k) AND list_count(${done}.v) = list_count(${of}.v)
          THEN map(${done}.k, ${done}.v) END`,
      );
    });
    return isJson ? `CASE WHEN json_type(${value}) = 'OBJECT' THEN ${cast} END` : cast;
  }

  #struct(value: string, fields: readonly Field[], given: Given): string {
    if (given !== 'json' && given.kind !== 'struct') return 'NULL';
    const sources = fields.map(({ name }) => fieldOf(value, name, given));
    const pack = (parts: readonly string[]) =>
      `struct_pack(${fields.map(({ name }, index) => `${quoted(name)} := ${parts[index]}`).join(', ')})`;
    const cast = this.#bind(pack(sources.map((source) => source.value)), (of) => {
      const values = fields.map(({ name, type }, index) =>
        this.cast(`${of}.${quoted(name)}`, type, sources[index]?.given ?? 'json'),
      );
      return this.#bind(pack(values), (done) => {
        const fits = fields.map(({ name }) => `(${of}.${quoted(name)} IS NULL) = (${done}.${quoted(name)} IS NULL)`);
        return `CASE WHEN ${fits.join(' AND ')} THEN ${done} END`;
      });
    });
    return `CASE WHEN ${hasOnly(value, fields, given)} THEN ${cast} END`;
  }

  #each(list: string, cast: (item: string) => string): string {
    const name = this.#name();
    return `list_transform(${list}, lambda ${name}: ${cast(name)})`;
  }

  /** Evaluates a value once for an expression that names it several times. */
  #bind(value: string, use: (name: string) => string): string {
    return `${this.#each(`[${value}]`, use)}[1]`;
  }

  #name(): string {
    this.#names += 1;
    return `_value${this.#names}`;
  }
}

/** A field is null where the record does not have it. */
function fieldOf(value: string, name: string, given: (ValueType & { kind: 'struct' }) | 'json') {
  if (given === 'json') {
    const field = `json_extract(${value}, ${literal(`$."${name}"`)})`;
    return { value: `CASE WHEN json_type(${field}) <> 'NULL' THEN ${field} END`, given };
  }
  const found = given.fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) return { value: 'NULL', given };
  return { value: `struct_extract(${value}, ${literal(found.name)})`, given: found.type };
}

function hasOnly(value: string, fields: readonly Field[], given: (ValueType & { kind: 'struct' }) | 'json'): string {
  if (given === 'json') {
    const names = fields.map(({ name }) => literal(name));
    return `json_type(${value}) = 'OBJECT' AND list_has_all([${names.join(', ')}], json_keys(${value}))
      AND len(list_distinct(json_keys(${value}))) = len(json_keys(${value}))`;
  }
  const known = new Set(fields.map(({ name }) => name.toLowerCase()));
  const others = given.fields.filter(({ name }) => !known.has(name.toLowerCase()));
  return [
    `${value} IS NOT NULL`,
    ...others.map(({ name }) => `struct_extract(${value}, ${literal(name)}) IS NULL`),
  ].join(' AND ');
}
