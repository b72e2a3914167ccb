import { defineTool, kernel, model, subgraphs } from '@pacioli/core';

export default defineTool({
  name: 'list-subgraphs',
  title: 'List subgraphs',
  description: 'The subgraphs of this graph, or of its parent, each with the address for a connection of its own.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph'] },
  input: model('ListSubgraphsArguments', {}, { closed: true }),
  services: { subgraphs, store: kernel.store },

  async handle({ ctx, use }) {
    const parentId = ctx.graph.parentId ?? ctx.graph.id;
    const all = await use.store.transaction('kernel', (tx) => use.subgraphs.list(tx, parentId), { readOnly: true });
    return {
      parent_graph_id: parentId,
      subgraphs: all
        .filter(({ status }) => status === 'active')
        .map(({ graphId, name, displayName, type }) => ({
          graph_id: graphId,
          name,
          display_name: displayName,
          subgraph_type: type,
          connector_url: `${ctx.serviceUrl}/v1/graphs/${graphId}/mcp`,
        })),
    };
  },
});
