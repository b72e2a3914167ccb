import { Type } from 'typebox';
import { defineOperation } from '../define/operation.ts';
import { ServiceError } from '../errors/service-error.ts';
import { validationFailure } from '../errors/to-wire.ts';
import { model, nullable } from '../schema/model.ts';
import { graphAccess } from '../tenancy/graph-access.ts';
import { issuesOfMetadata, updateMetadata } from '../tenancy/graph-metadata.ts';

export default defineOperation({
  name: 'update-graph-metadata',
  summary: 'Changes the name, description and tags of a graph, which are not those of its company.',
  openapi: { id: 'update_graph_metadata', tag: 'graph_operations' },
  mcp: { held: 'The name of a graph is for its administrators to choose.' },
  category: 'graph_management',
  role: 'admin',
  input: model('UpdateGraphMetadataOp', {
    graph_name: Type.Optional(
      nullable(
        Type.String({ description: 'The new name, at most 255 characters; absent or null keeps the present one.' }),
      ),
    ),
    description: Type.Optional(
      nullable(Type.String({ description: 'The new description; empty clears it, absent or null keeps it.' })),
    ),
    tags: Type.Optional(
      nullable(
        Type.Array(Type.String(), {
          description: 'All tags of the graph from now on, at most 10 of 50 characters; an empty list clears them.',
        }),
      ),
    ),
  }),
  output: model('GraphMetadataResult', {
    graph_id: Type.String(),
    graph_name: Type.String(),
    description: Type.Optional(Type.String({ default: '' })),
    tags: Type.Optional(Type.Array(Type.String())),
    updated_fields: Type.Optional(Type.Array(Type.String())),
  }),
  services: { graphAccess },

  async handle({ input, ctx, use }) {
    if (input.graph_name == null && input.description == null && input.tags == null)
      throw new ServiceError('refused', 'INVALID_INPUT', 'No fields provided for update.');
    const issues = issuesOfMetadata(input);
    if (issues.length > 0) throw validationFailure(issues);
    const changed = await updateMetadata(ctx.tx, ctx.graph.id, { change: input, now: ctx.now() });
    // Another process, or a request that read before the commit, learns of it within two seconds.
    use.graphAccess.forgetGraph(ctx.graph.id);
    return changed;
  },
});
