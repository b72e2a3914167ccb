import { defineTool, kernel, model, notFound, subgraphs } from '@pacioli/core';
import { Type } from 'typebox';

export default defineTool({
  name: 'resolve-subgraph',
  title: 'Find the address of a subgraph',
  description:
    'The address for a connection to a subgraph, by its id or short name, or `primary` for the parent. It never ' +
    'switches this connection.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph'] },
  input: model(
    'ResolveSubgraphArguments',
    { subgraph: Type.String({ minLength: 1, maxLength: 100, description: 'An id, a short name, or primary.' }) },
    { closed: true },
  ),
  services: { subgraphs, store: kernel.store },
  errors: { NOT_FOUND: 'The family of this graph has no such subgraph.' },

  async handle({ input, ctx, use }) {
    const { graph } = ctx;
    const parentId = graph.parentId ?? graph.id;
    const all = await use.store.transaction('kernel', (tx) => use.subgraphs.list(tx, parentId), { readOnly: true });
    const active = all.filter(({ status }) => status === 'active');
    const wanted = input.subgraph.toLowerCase();
    const targetId = ['primary', parentId].includes(wanted)
      ? parentId
      : active.find(({ graphId, name }) => graphId === wanted || name === wanted)?.graphId;
    if (targetId === undefined) {
      const names = ['primary', ...active.map(({ name }) => name)].slice(0, 50).join(', ');
      throw notFound(`There is no subgraph ${JSON.stringify(input.subgraph)} here. Choose one of: ${names}.`);
    }
    return {
      switched: false,
      reason: 'url_anchored_connector',
      target_graph_id: targetId,
      connector_url: `${ctx.serviceUrl}/v1/graphs/${targetId}/mcp`,
      credential_reuse: graph.parentId === undefined ? 'guaranteed' : 'depends_on_key_scope',
      message: 'This connection stays on its graph. Connect to the address to use the other one.',
    };
  },
});
