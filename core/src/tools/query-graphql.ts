import { Type } from 'typebox';
import { defineTool } from '../define/tool.ts';
import { invalidInput } from '../errors/service-error.ts';
import { graphqlReads } from '../graphql/graphql-reads.ts';
import { renamedSensitiveField } from '../graphql/sensitive-aliases.ts';
import { model, openObject } from '../schema/model.ts';

export default defineTool({
  name: 'query-graphql',
  title: 'Query with GraphQL',
  description:
    'Reads records of this graph with one GraphQL query; introspection is allowed, and there are no mutations. ' +
    'Read get-graphql-schema first to learn the fields.',
  role: 'viewer',
  effect: 'read',
  gate: { anyDomain: true },
  input: model(
    'QueryGraphqlArguments',
    {
      query: Type.String({ minLength: 1, maxLength: 20_000, description: 'The text of the query.' }),
      variables: Type.Optional(openObject()),
    },
    { closed: true },
  ),
  services: { graphqlReads },

  handle: async ({ input, ctx, use }) => {
    const { caller, graph, requestId, signal, serviceUrl } = ctx;
    const { query, variables } = input;
    const renamed = renamedSensitiveField(query);
    if (renamed !== undefined)
      throw invalidInput(`${renamed} is masked by its name. Ask for it without another name before it.`);
    return use.graphqlReads.run({ caller, graph, query, variables, requestId, signal, serviceUrl });
  },
});
