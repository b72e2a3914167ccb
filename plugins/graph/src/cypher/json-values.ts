import type { GraphValue, ResultRow } from '@pacioli/core/ports';

/** Converts a neutral value to JSON (graphs Q-45); the only place where results become JSON. */
export function toJson(value: GraphValue): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (isList(value)) return value.map(toJson);
  switch (value.valueKind) {
    case 'record':
      return mapped(value.fields);
    case 'map':
      return value.entries.every(([key]) => typeof key === 'string')
        ? Object.fromEntries(value.entries.map(([key, content]) => [String(key), toJson(content)]))
        : value.entries.map(([key, content]) => ({ key: toJson(key), value: toJson(content) }));
    case 'node':
      return { ...mapped(value.properties), _label: value.label, _id: value.id };
    case 'relationship':
      return {
        ...mapped(value.properties),
        _label: value.label,
        _id: value.id,
        _src: value.source,
        _dst: value.target,
      };
    case 'path':
      return { _nodes: value.nodes.map(toJson), _rels: value.relationships.map(toJson) };
    default:
      return value.text;
  }
}

function isList(value: GraphValue): value is readonly GraphValue[] {
  return Array.isArray(value);
}

function mapped(fields: Readonly<Record<string, GraphValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, content]) => [name, toJson(content)]));
}

/** A row as an object keyed by column. */
export function rowObject(columns: readonly string[], row: ResultRow): Record<string, unknown> {
  return Object.fromEntries(columns.map((column, index) => [column, toJson(row[index] ?? null)]));
}

/** Writes rows as JSON text without building an object per row; keys are encoded once. */
export function rowWriter(columns: readonly string[]): (row: ResultRow) => string {
  const keys = columns.map((column, index) => `${index === 0 ? '' : ','}${JSON.stringify(column)}:`);
  return (row) => {
    let text = '{';
    for (let index = 0; index < keys.length; index += 1) {
      const value = row[index] ?? null;
      const plain = typeof value === 'string' || value === null ? value : toJson(value);
      text += `${keys[index]}${JSON.stringify(plain)}`;
    }
    return `${text}}`;
  };
}
