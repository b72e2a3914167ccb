import { Type } from 'typebox';
import { defineTool } from '../define/tool.ts';
import { notFound } from '../errors/service-error.ts';
import { graphqlReads } from '../graphql/graphql-reads.ts';
import { model } from '../schema/model.ts';

export default defineTool({
  name: 'get-graphql-schema',
  title: 'Get the GraphQL schema',
  description:
    'The types and fields that query-graphql can read, in the schema language; with `type`, only that type, such as ' +
    'Query.',
  role: 'viewer',
  effect: 'read',
  gate: { anyDomain: true },
  input: model(
    'GetGraphqlSchemaArguments',
    { type: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The name of one type.' })) },
    { closed: true },
  ),
  services: { graphqlReads },
  errors: { NOT_FOUND: 'The schema has no type with this name.' },

  async handle({ input, use }) {
    const { sdl } = use.graphqlReads;
    return input.type === undefined ? sdl : definitionOf(sdl, input.type);
  },
});

/** One definition of the printed schema with its description; definitions are divided by empty lines. */
function definitionOf(sdl: string, name: string): string {
  const found = sdl
    .split(/\n\n(?=\S)/)
    .find((block) => new RegExp(`^(?:type|input|enum|scalar|interface|union) ${escaped(name)}\\b`, 'm').test(block));
  if (found !== undefined) return found.trim();
  throw notFound(`The schema has no type ${name}. Call the tool without type to see all of them.`);
}

function escaped(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]/g, '\\$&');
}
