/** A type of graphs CS-1 or of the engine as a tree. */
export type ValueType =
  | { readonly kind: 'scalar'; readonly type: string }
  | { readonly kind: 'list'; readonly item: ValueType; readonly length: number | undefined }
  | { readonly kind: 'map'; readonly key: ValueType; readonly value: ValueType }
  | { readonly kind: 'struct'; readonly fields: readonly Field[] };

export interface Field {
  readonly name: string;
  readonly type: ValueType;
}

/** Reads `STRUCT(a INT64, b STRING[])` and, as the engine writes it, `STRUCT("a b" BIGINT, c VARCHAR[3])`. */
export function valueType(text: string): ValueType {
  const list = /^(.*)\[(\d*)\]$/s.exec(text);
  if (list !== null) {
    const [, item = '', length = ''] = list;
    return { kind: 'list', item: valueType(item), length: length === '' ? undefined : Number(length) };
  }
  const [, name, content = ''] = /^(MAP|STRUCT)\((.*)\)$/s.exec(text) ?? [];
  if (name === 'MAP') {
    const [key = '', value = ''] = partsOf(content);
    return { kind: 'map', key: valueType(key), value: valueType(value) };
  }
  if (name === 'STRUCT') return { kind: 'struct', fields: partsOf(content).map(fieldOf) };
  return { kind: 'scalar', type: text };
}

function fieldOf(text: string): Field {
  const [, inQuotes, plain = '', type = ''] = /^(?:"((?:[^"]|"")*)"|(\S+)) +(.*)$/s.exec(text) ?? [];
  return { name: inQuotes?.replaceAll('""', '"') ?? plain, type: valueType(type) };
}

/** Splits at the commas that are outside of brackets and quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
  }
  parts.push(text.slice(start).trim());
  return parts;
}
