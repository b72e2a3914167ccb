import type { TestClient } from '@pacioli/testing';

/** A query of one field of the schema. */
export interface QueryField {
  readonly name: string;
  /** The argument that refers to a record. */
  readonly reference: string | undefined;
  readonly text: (id: string) => string;
}

interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  /** Absent at the depth that the introspection asks for. */
  readonly ofType?: TypeRef | null;
}

interface FieldOfType {
  readonly name: string;
  readonly type: TypeRef;
  readonly args: readonly { readonly name: string; readonly type: TypeRef }[];
}

const typeText = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';

/** A query for each field of the schema, once for each argument that refers to a record, or once without any. */
export async function queryFields(client: TestClient, graph: string): Promise<readonly QueryField[]> {
  const fieldText = `fields { name args { name type { ${typeText} } } type { ${typeText} } }`;
  const { body } = await client.graphql(
    graph,
    `{ __schema { queryType { name } types { name enumValues { name } ${fieldText} } } }`,
  );
  const types = new Map<string, { readonly fields: readonly FieldOfType[] | null }>(
    body.data.__schema.types.map((type: { readonly name: string }) => [type.name, type]),
  );
  const fields = types.get(body.data.__schema.queryType.name)?.fields ?? [];
  return fields.flatMap((field): readonly QueryField[] => {
    const references = field.args.map(({ name }) => name).filter((name) => /(^id|Id)$/.test(name));
    return (references.length === 0 ? [undefined] : references).map((reference) => ({
      name: field.name,
      reference,
      text: (id) => `{ ${field.name}${argumentsOf(field, reference, id)} ${selection(types, field.type, 3)} }`,
    }));
  });
}

function named(type: TypeRef): TypeRef {
  return type.ofType == null ? type : named(type.ofType);
}

/** All scalar fields, and those of objects down to a depth. */
function selection(
  types: ReadonlyMap<string, { readonly fields: readonly FieldOfType[] | null }>,
  type: TypeRef,
  depth: number,
): string {
  const fields = types.get(named(type).name ?? '')?.fields ?? null;
  if (fields === null) return '';
  const selected = fields.flatMap((field) => {
    if (field.args.some((argument) => argument.type.kind === 'NON_NULL')) return [];
    const isObject = (types.get(named(field.type).name ?? '')?.fields ?? null) !== null;
    if (!isObject) return [field.name];
    return depth === 0 ? [] : [`${field.name} ${selection(types, field.type, depth - 1)}`];
  });
  return `{ ${['__typename', ...selected.filter((text) => !text.endsWith('{ __typename }'))].join(' ')} }`;
}

function argumentsOf({ args }: FieldOfType, reference: string | undefined, id: string): string {
  const given = args.flatMap(({ name, type }) => {
    if (name === reference) return [`${name}: ${JSON.stringify(id)}`];
    return type.kind === 'NON_NULL' ? [`${name}: ${literal(name, type)}`] : [];
  });
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

function literal(name: string, type: TypeRef): string {
  const { name: scalar } = named(type);
  if (scalar === 'Int' || scalar === 'Float') return '1';
  if (scalar === 'Boolean') return 'true';
  const text = /Date|Start|End|asOf/.test(name) ? '2026-04-30' : /period/i.test(name) ? '2026-04' : 'x';
  return type.ofType?.kind === 'LIST' ? `["${text}"]` : `"${text}"`;
}
