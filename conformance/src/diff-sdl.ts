import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { Comparison, Difference } from './difference.ts';

/**
 * Compares two GraphQL schemas by the queries that a client can send. Types are compared when a query of both schemas
 * reaches them, so that a missing query is one difference and not a hundred.
 */
export function diffSdl(expected: GraphQLSchema, actual: GraphQLSchema): Comparison {
  const walk = new SchemaWalk(expected, actual);
  const [wanted, given] = [expected.getQueryType(), actual.getQueryType()];
  if (wanted !== null && wanted !== undefined) {
    const fields = given?.getFields() ?? {};
    for (const field of Object.values(wanted.getFields())) walk.compareQuery(field, fields[field.name]);
    for (const field of Object.values(fields)) {
      if (field.name in wanted.getFields()) continue;
      walk.ids.push(`sdl:Query.${field.name}`);
      walk.report(`sdl:Query.${field.name}`, 'added', `query ${field.name}`);
    }
  }
  for (const kind of ['mutation', 'subscription'] as const) {
    const [has, got] = [rootType(expected, kind), rootType(actual, kind)];
    walk.ids.push(`sdl:${kind}`);
    if ((has === undefined) !== (got === undefined))
      walk.report(`sdl:${kind}`, got === undefined ? 'missing' : 'extra', `${kind} type`);
  }
  walk.compareTypes();
  return { ids: walk.ids, differences: walk.differences };
}

function rootType(schema: GraphQLSchema, kind: 'mutation' | 'subscription'): GraphQLNamedType | undefined {
  return (kind === 'mutation' ? schema.getMutationType() : schema.getSubscriptionType()) ?? undefined;
}

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

/** A comparison in progress: the differences found, and the types still to be visited. */
class SchemaWalk {
  readonly ids: string[] = [];
  readonly differences: Difference[] = [];
  readonly #expected: GraphQLSchema;
  readonly #actual: GraphQLSchema;
  readonly #reached = new Set<string>();

  constructor(expected: GraphQLSchema, actual: GraphQLSchema) {
    this.#expected = expected;
    this.#actual = actual;
  }

  report(id: string, kind: Difference['kind'], where: string, expected = '', actual = ''): void {
    this.differences.push({ id, kind, where, expected, actual });
  }

  compareQuery(expected: GraphQLField<unknown, unknown>, actual: GraphQLField<unknown, unknown> | undefined): void {
    const id = `sdl:Query.${expected.name}`;
    this.ids.push(id);
    if (actual === undefined) this.report(id, 'missing', `query ${expected.name}`);
    else this.#compareField(id, `query ${expected.name}`, expected, actual);
  }

  /** A Set may grow during iteration, and each type is still visited only once. */
  compareTypes(): void {
    for (const name of this.#reached) {
      const [expected, actual] = [this.#expected.getType(name), this.#actual.getType(name)];
      if (expected === undefined || expected === this.#expected.getQueryType()) continue;
      const id = `sdl:type ${name}`;
      this.ids.push(id);
      if (actual === undefined) this.report(id, 'missing', `type ${name}`);
      else this.#compareType(id, expected, actual);
    }
  }

  #compareType(id: string, expected: GraphQLNamedType, actual: GraphQLNamedType): void {
    const where = `type ${expected.name}`;
    if (expected.constructor.name !== actual.constructor.name) {
      this.report(id, 'changed', where, kindOf(expected), kindOf(actual));
      return;
    }
    if (isEnumType(expected) && isEnumType(actual))
      this.#compareNames(id, `${where} value`, namesOf(expected.getValues()), namesOf(actual.getValues()));
    if (isUnionType(expected) && isUnionType(actual)) {
      this.#compareNames(id, `${where} member`, namesOf(expected.getTypes()), namesOf(actual.getTypes()));
      for (const member of expected.getTypes()) this.#reached.add(member.name);
    }
    if (hasFields(expected) && hasFields(actual)) {
      const [wanted, given] = [expected.getFields(), actual.getFields()];
      const beyond = isInputObjectType(expected) ? 'extra' : 'added';
      this.#compareNames(id, `${where} field`, Object.keys(wanted), Object.keys(given), beyond);
      for (const [name, field] of Object.entries(wanted)) {
        const other = given[name];
        if (other !== undefined) this.#compareField(id, `${where} field ${name}`, field, other);
      }
    }
  }

  #compareField(id: string, where: string, expected: Field, actual: Field): void {
    this.#reached.add(getNamedType(expected.type).name);
    const [wanted, given] = [String(expected.type), String(actual.type)];
    if (wanted !== given) this.report(id, 'changed', where, wanted, given);
    const [args, others] = [argumentsOf(expected), argumentsOf(actual)];
    this.#compareNames(id, `${where} argument`, namesOf(args), namesOf(others));
    for (const argument of args) {
      const other = others.find(({ name }) => name === argument.name);
      if (other === undefined) continue;
      this.#reached.add(getNamedType(argument.type).name);
      const [demanded, offered] = [inputText(argument), inputText(other)];
      if (demanded !== offered) this.report(id, 'changed', `${where} argument ${argument.name}`, demanded, offered);
    }
  }

  #compareNames(
    id: string,
    where: string,
    expected: readonly string[],
    actual: readonly string[],
    beyond: 'added' | 'extra' = 'extra',
  ): void {
    for (const name of expected) if (!actual.includes(name)) this.report(id, 'missing', `${where} ${name}`);
    for (const name of actual) if (!expected.includes(name)) this.report(id, beyond, `${where} ${name}`);
  }
}

function hasFields(
  type: GraphQLNamedType,
): type is GraphQLNamedType & { getFields(): Readonly<Record<string, Field>> } {
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
}

function argumentsOf(field: Field): readonly GraphQLArgument[] {
  return 'args' in field ? field.args : [];
}

/** A default of null only means that the argument may be omitted. */
function inputText(argument: GraphQLArgument): string {
  const value: unknown = argument.defaultValue;
  return `${argument.type}${value === undefined || value === null ? '' : ` = ${JSON.stringify(value)}`}`;
}

function namesOf(items: readonly { readonly name: string }[]): readonly string[] {
  return items.map(({ name }) => name);
}

function kindOf(type: GraphQLNamedType): string {
  return type.constructor.name.replace(/^GraphQL/, '').replace(/Type$/, '');
}
