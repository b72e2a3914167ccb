/** A JSON Schema, as far as bodies are generated from it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly default?: unknown;
}

/** A body for one reference: its required fields, and the reference wherever it stands. */
interface BodyWith {
  readonly field: string;
  /** The place of the reference, such as `positions.update[].id`. */
  readonly path: string;
  readonly body: (id: string) => unknown;
}

type IdOf = (field: string) => string | undefined;

const isReference = (name: string): boolean => /_ids?$/.test(name);

/** A body for each reference that the schema allows, in which all other required references are made by `idOf`. */
export function bodiesWith(schema: Schema, idOf: IdOf): readonly BodyWith[] {
  const found: BodyWith[] = [];
  for (const arm of armsOf(schema)) {
    for (const [name, property] of Object.entries(arm.properties ?? {})) {
      const put = (value: unknown) => ({ ...objectOf(arm, idOf), [name]: value });
      if (isReference(name)) {
        const isList = armsOf(property).some((each) => each.items !== undefined);
        found.push({ field: name, path: name, body: (id) => put(isList ? [id] : id) });
        continue;
      }
      for (const inner of innerBodies(property, idOf)) {
        found.push({
          ...inner,
          path: `${name}${inner.path.startsWith('[') ? '' : '.'}${inner.path}`,
          body: (id) => put(inner.body(id)),
        });
      }
    }
  }
  return found;
}

function innerBodies(property: Schema, idOf: IdOf): readonly BodyWith[] {
  const lists = armsOf(property).flatMap(({ items }) => (items === undefined ? [] : bodiesWith(items, idOf)));
  return [
    ...bodiesWith(property, idOf),
    ...lists.map((each) => ({ ...each, path: `[].${each.path}`, body: (id: string) => [each.body(id)] })),
  ];
}

function armsOf(schema: Schema): readonly Schema[] {
  const arms = schema.anyOf ?? schema.oneOf;
  return arms === undefined ? [schema] : arms.flatMap(armsOf);
}

/** The required fields of an object. */
function objectOf(schema: Schema, idOf: IdOf): Readonly<Record<string, unknown>> {
  const names = schema.required ?? [];
  return Object.fromEntries(names.map((name) => [name, sampleOf(name, schema.properties?.[name] ?? {}, idOf)]));
}

function sampleOf(name: string, schema: Schema, idOf: IdOf): unknown {
  const id = isReference(name) ? idOf(name) : undefined;
  const [arm = schema] = armsOf(schema).filter(({ type }) => type !== 'null');
  if (id !== undefined) return arm.items === undefined ? id : [id];
  if (arm.const !== undefined) return arm.const;
  if (arm.enum !== undefined) return arm.enum[0];
  if (arm.default !== undefined) return arm.default;
  if (arm.properties !== undefined) return objectOf(arm, idOf);
  if (arm.items !== undefined) return (arm.minItems ?? 0) > 0 ? [sampleOf(name, arm.items, idOf)] : [];
  if (arm.type === 'integer' || arm.type === 'number') return arm.minimum ?? 1;
  if (arm.type === 'boolean') return true;
  if (arm.type === 'object') return {};
  return textOf(name, arm);
}

function textOf(name: string, { format, pattern }: Schema): string {
  if (format === 'date' || /date$|_start$|_end$/.test(name)) return '2026-04-30';
  if (format === 'date-time' || name.endsWith('_at')) return '2026-04-30T09:00:00Z';
  if (pattern?.includes('d{2}') === true || name.startsWith('period')) return '2026-04';
  return 'x';
}
