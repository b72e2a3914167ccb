/**
 * Reads nested values exactly. The binding truncates numbers and instants within nodes, paths, lists and records, and the
 * engine's own text of such a value has every digit but does not quote its texts. So the text is read along the value of
 * the binding, which tells the fields that are there, the lengths of lists and the texts, which are exact.
 */
import type { GraphValue } from '@pacioli/core/ports';
import { WorkerFailure } from './failure.ts';
import {
  converterFor,
  fieldName,
  fieldType,
  type GraphEntity,
  hasEntities,
  idText,
  isEntityType,
  isListType,
  mapKey,
  numberFromText,
  onlyField,
  splitTypes,
  textConverter,
} from './values.ts';

/** The types of the properties of each table, by its name. */
export type PropertyTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Raw = Readonly<Record<string, unknown>>;

/** True for a type whose values the binding truncates, whatever they are. */
const truncated = /DECIMAL|TIMESTAMP|INTERVAL/;
const wholeNumbers = /INT64/;

/** Whether values of a nested type can be truncated: always, only if they contain large whole numbers, or never. */
export function truncationOf(type: string, properties: PropertyTypes): 'always' | 'large numbers' | 'never' {
  const ofEntities = hasEntities(type) ? [...properties.values()].flatMap((columns) => [...columns.values()]) : [];
  const types = [type, ...ofEntities];
  if (types.some((each) => truncated.test(each))) return 'always';
  return types.some((each) => wholeNumbers.test(each)) ? 'large numbers' : 'never';
}

/** True if a value of the binding contains a whole number that it may have truncated. */
export function hasLargeNumber(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 65;
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array) return false;
  return Object.values(value).some(hasLargeNumber);
}

/** The exact value of a column of a nested type. Throws if its text cannot be read for certain. */
export function exactValue(type: string, raw: unknown, text: string, properties: PropertyTypes): GraphValue {
  if (raw === null || raw === undefined) return null;
  const reader = new TextReader(text, properties);
  const value = reader.value(type, raw);
  reader.requireEnd();
  return value;
}

class TextReader {
  readonly #text: string;
  readonly #properties: PropertyTypes;
  #at = 0;

  constructor(text: string, properties: PropertyTypes) {
    this.#text = text;
    this.#properties = properties;
  }

  value(type: string, raw: unknown): GraphValue {
    if (isListType(type)) return this.#list(type.slice(0, type.lastIndexOf('[')), raw);
    if (type.startsWith('STRUCT(')) return this.#record(type, raw as Raw);
    if (type.startsWith('MAP(')) return this.#map(type, raw as Raw);
    if (type.startsWith('UNION(')) return this.#member(type, raw as Raw | null);
    if (isEntityType(type)) return raw === null || raw === undefined ? null : this.#entity(raw as Raw);
    return this.#scalar(type, raw);
  }

  requireEnd(): void {
    if (this.#at !== this.#text.length) throw unreadable();
  }

  #scalar(type: string, raw: unknown): GraphValue {
    if (typeof raw === 'string' && !/^(DECIMAL|INTERVAL|U?INT\d)/.test(type)) {
      this.#skip(raw);
      return converterFor(type)(raw);
    }
    if (raw instanceof Uint8Array) {
      this.#skip(blobText(raw));
      return converterFor(type)(raw);
    }
    const token = this.#token();
    // The binding gives null for some decimals.
    if (token === '') return null;
    if (/^U?INT\d/.test(type)) return numberFromText(token);
    return truncated.test(type) ? textConverter(type)(token) : converterFor(type)(raw);
  }

  #list(type: string, raw: unknown): GraphValue {
    if (raw === null || raw === undefined) return null;
    this.#skip('[');
    const values = (raw as readonly unknown[]).map((item, index) => {
      if (index > 0) this.#skip(',');
      return this.value(type, item);
    });
    this.#skip(']');
    return values;
  }

  #record(type: string, raw: Raw | null): GraphValue {
    if (raw === null || raw === undefined) return null;
    const fields: Record<string, GraphValue> = {};
    this.#skip('{');
    splitTypes(type).forEach((field, index) => {
      const name = fieldName(field);
      this.#skip(`${index > 0 ? ', ' : ''}${name}: `);
      fields[name] = this.value(fieldType(field), raw[name]);
    });
    this.#skip('}');
    return { valueKind: 'record', fields };
  }

  #map(type: string, raw: Raw | null): GraphValue {
    if (raw === null || raw === undefined) return null;
    const [keyType = 'STRING', valueType = 'STRING'] = splitTypes(type);
    this.#skip('{');
    const entries = Object.entries(raw).map(([key, content], index): readonly [GraphValue, GraphValue] => {
      this.#skip(`${index > 0 ? ', ' : ''}${key}=`);
      return [mapKey(keyType, key), this.value(valueType, content)];
    });
    this.#skip('}');
    return { valueKind: 'map', entries };
  }

  /** The text is that of the member, and the binding does not name it. */
  #member(type: string, raw: Raw | null): GraphValue {
    const content = onlyField(raw);
    if (content === null || content === undefined) return null;
    if (typeof content === 'string' || content instanceof Uint8Array) return this.#scalar('STRING', content);
    return unionMember(splitTypes(type).map(fieldType), content, this.#token());
  }

  #entity(raw: Raw): GraphValue {
    return '_nodes' in raw ? this.#path(raw) : this.#nodeOrRelationship(raw);
  }

  #path(raw: Raw): GraphValue {
    const part = (name: string, items: unknown): GraphValue[] => {
      this.#skip(`${name}: [`);
      const entities = (items as readonly Raw[]).map((item, index) => {
        if (index > 0) this.#skip(',');
        return this.#nodeOrRelationship(item);
      });
      this.#skip(']');
      return entities;
    };
    this.#skip('{');
    const nodes = part('_NODES', raw['_nodes']);
    this.#skip(', ');
    const relationships = part('_RELS', raw['_rels']);
    this.#skip('}');
    return { valueKind: 'path', nodes, relationships };
  }

  #nodeOrRelationship(raw: Raw): GraphEntity {
    const label = String(raw['_label']);
    const id = idText(raw['_id']);
    const isRelationship = '_src' in raw;
    const [source, target] = [idText(raw['_src']), idText(raw['_dst'])];
    this.#skip(
      isRelationship
        ? `{_SRC: ${source}, _DST: ${target}, _LABEL: ${label}, _ID: ${id}`
        : `{_ID: ${id}, _LABEL: ${label}`,
    );
    const properties = this.#propertiesOf(label, raw);
    this.#skip('}');
    return isRelationship
      ? { valueKind: 'relationship', id, label, source, target, properties }
      : { valueKind: 'node', id, label, properties };
  }

  /** The text leaves out properties that are null; the binding has them, also those that only other tables declare. */
  #propertiesOf(label: string, raw: Raw): Record<string, GraphValue> {
    const types = this.#properties.get(label);
    const properties: Record<string, GraphValue> = {};
    for (const [name, content] of Object.entries(raw)) {
      if (['_id', '_label', '_src', '_dst'].includes(name)) continue;
      const before = `, ${name}: `;
      const type = types?.get(name);
      if (!this.#text.startsWith(before, this.#at)) {
        if (types === undefined || type !== undefined) properties[name] = null;
      } else if (type === undefined) throw unreadable();
      else {
        this.#at += before.length;
        properties[name] = this.value(type, content);
      }
    }
    return properties;
  }

  #skip(expected: string): void {
    if (!this.#text.startsWith(expected, this.#at)) throw unreadable();
    this.#at += expected.length;
  }

  /** A value without texts ends at the next comma or bracket. */
  #token(): string {
    const [token = ''] = /^[^,\]}]*/.exec(this.#text.slice(this.#at, this.#at + maxTokenCharacters)) ?? [];
    this.#at += token.length;
    return token;
  }
}

/** The value of a union that is neither text nor bytes. */
function unionMember(types: readonly string[], content: unknown, token: string): GraphValue {
  const hasMember = (pattern: RegExp): boolean => types.some((type) => pattern.test(type));
  if (content instanceof Date)
    return / /.test(token) ? textConverter('TIMESTAMP')(token) : converterFor('DATE')(content);
  if (/^-?\d+$/.test(token) && hasMember(/^U?INT\d/)) return numberFromText(token);
  if (typeof content === 'number' && hasMember(/^DECIMAL/) && !hasMember(/^(DOUBLE|FLOAT)$/))
    return textConverter('DECIMAL(38, 0)')(token);
  return converterFor('UNION()')({ member: content });
}

/** The longest number that the engine writes has 309 digits before its point. */
const maxTokenCharacters = 400;

/** As the engine writes bytes: printable ones as they are, others as `\xAA`. */
function blobText(bytes: Uint8Array): string {
  return [...bytes]
    .map((byte) =>
      byte >= 32 && byte < 127 && byte !== 92 && byte !== 39 && byte !== 34
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}

function unreadable(): WorkerFailure {
  return new WorkerFailure(
    'runtime',
    'A number, decimal or time within this value would lose digits: return its parts as columns of their own.',
  );
}
