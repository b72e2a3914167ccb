/** The fields of a validation failure that are used here; paths are JSON pointers. */
export interface Failure {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly schema?: unknown;
  readonly data?: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** A field that every arm requires, with the values that each arm allows. */
interface Discriminator {
  readonly field: string;
  readonly values: readonly (readonly unknown[])[];
}

/**
 * Reduces the failures of a union to those of the selected arm (platform E-3): the arm that accepts the value of the
 * discriminator, or the only arm other than null. A value that no arm accepts is one failure of the discriminator.
 * Unions without a discriminator are unchanged.
 */
export function ofChosenArms<F extends Failure>(failures: readonly F[]): readonly F[] {
  const unions = failures
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .sort((a, b) => a.schemaPath.length - b.schemaPath.length);
  return unions.reduce<readonly F[]>(
    // A union that an outer one has excluded needs no narrowing.
    (kept, union) => (kept.includes(union) ? narrowed(kept, union) : kept),
    failures,
  );
}

function narrowed<F extends Failure>(failures: readonly F[], union: F): readonly F[] {
  const arms = Array.isArray(union.schema) ? union.schema.filter(isFields) : [];
  const plain = arms.filter((arm) => arm['type'] !== 'null');
  const [only] = plain;
  if (plain.length === 1 && only !== undefined) return ofArm(failures, union, arms.indexOf(only));
  const discriminator = discriminatorOf(plain);
  if (discriminator === undefined || !isFields(union.data)) return failures;
  const { field, values } = discriminator;
  const value = union.data[field];
  const chosen = plain[values.findIndex((allowed) => allowed.includes(value))];
  if (chosen !== undefined) return ofArm(failures, union, arms.indexOf(chosen));
  const wrong = value === undefined ? { ...union, keyword: 'required', params: { missingProperty: field } } : undefined;
  const unknown = {
    ...union,
    keyword: 'enum',
    instancePath: `${union.instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    data: value,
    params: { allowedValues: values.flat() },
  };
  return failures.flatMap((each) => (each === union ? [wrong ?? unknown] : isInside(each, union) ? [] : [each]));
}

/** Keeps all failures except those of the union itself and of its other arms. */
function ofArm<F extends Failure>(failures: readonly F[], union: F, arm: number): readonly F[] {
  const own = `${union.schemaPath}/${arm}/`;
  return failures.filter((each) => each !== union && (!isInside(each, union) || each.schemaPath.startsWith(own)));
}

function isInside(failure: Failure, union: Failure): boolean {
  return (
    failure.schemaPath.startsWith(`${union.schemaPath}/`) &&
    `${failure.instancePath}/`.startsWith(`${union.instancePath}/`)
  );
}

/** Finds the first field that every arm requires with disjoint lists of values. */
function discriminatorOf(arms: readonly Fields[]): Discriminator | undefined {
  const [first] = arms;
  const fields = first === undefined ? [] : requiredOf(first);
  for (const field of fields) {
    const values = arms.map((arm) => (requiredOf(arm).includes(field) ? allowedValues(arm, field) : []));
    const all = values.flat();
    if (values.every(({ length }) => length > 0) && new Set(all).size === all.length) return { field, values };
  }
  return undefined;
}

function requiredOf(arm: Fields): readonly string[] {
  const required = arm['required'];
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function allowedValues(arm: Fields, field: string): readonly unknown[] {
  const properties = arm['properties'];
  const schema = isFields(properties) ? properties[field] : undefined;
  if (!isFields(schema)) return [];
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
