import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

const maxDepth = 4;

/**
 * A GraphQL text for each of the queries: all fields without required arguments, and sample values for the required
 * arguments, which are texts where the type allows them.
 */
export function queryTexts(sdl: string, names: readonly string[], text: string): Readonly<Record<string, string>> {
  const fields = buildSchema(sdl).getQueryType()?.getFields() ?? {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = fields[camelCase(name)];
      return field === undefined ? [] : [[name, `{ ${callOf(field, text)} }`]];
    }),
  );
}

/** The name of the query that answers with sample objects of a type. */
export function sampleQuery(type: string): string {
  return `sample${type}`;
}

/** As `queryTexts`, for fields of types, which are read on sample objects. */
export function fieldTexts(
  sdl: string,
  fields: readonly { readonly on: string; readonly name: string }[],
  text: string,
): Readonly<Record<string, string>> {
  const schema = buildSchema(sdl);
  return Object.fromEntries(
    fields.flatMap(({ on, name }) => {
      const type = schema.getType(on);
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (field === undefined) return [];
      return [[`${on}.${name}`, `{ ${sampleQuery(on)}(text: ${JSON.stringify(text)}) { ${callOf(field, text)} } }`]];
    }),
  );
}

function callOf(field: GraphQLField<unknown, unknown>, text: string): string {
  const given = field.args
    .filter(isRequiredArgument)
    .map((argument) => `${argument.name}: ${literalOf(argument.type, text)}`);
  const call = given.length === 0 ? field.name : `${field.name}(${given.join(', ')})`;
  const selection = selectionOf(field.type, 0);
  return selection === undefined ? call : `${call} ${selection}`;
}

/** The selection of an object; undefined for a leaf. */
function selectionOf(type: GraphQLOutputType, depth: number): string | undefined {
  const named = getNamedType(type);
  if (isLeafType(named)) return undefined;
  const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
  const selected = fields
    .filter(({ args }) => !args.some(isRequiredArgument))
    .flatMap((field) => {
      if (isLeafType(getNamedType(field.type))) return [field.name];
      return depth === maxDepth ? [] : [`${field.name} ${selectionOf(field.type, depth + 1)}`];
    });
  return `{ ${selected.length === 0 ? '__typename' : selected.join(' ')} }`;
}

function literalOf(type: GraphQLInputType, text: string): string {
  const bare = getNullableType(type);
  if (isListType(bare)) return `[${literalOf(bare.ofType, text)}]`;
  if (isEnumType(bare)) return bare.getValues()[0]?.name ?? 'null';
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields()).filter(isRequiredInputField);
    return `{ ${fields.map((field) => `${field.name}: ${literalOf(field.type, text)}`).join(', ')} }`;
  }
  if (bare.name === 'Int' || bare.name === 'Float') return '1';
  if (bare.name === 'Boolean') return 'true';
  return bare.name === 'Date' ? '"2026-01-31"' : JSON.stringify(text);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
