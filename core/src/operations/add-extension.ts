import { Type } from 'typebox';
import type { Graph } from '../define/context.ts';
import { defineOperation } from '../define/operation.ts';
import { invalidInput } from '../errors/service-error.ts';
import { model } from '../schema/model.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { graphAccess } from '../tenancy/graph-access.ts';
import { problemOfExtension } from '../tenancy/new-graph-rules.ts';

export default defineOperation({
  name: 'add-extension',
  summary: 'Adds an extension to a graph that was created without it, such as that of a plugin installed later.',
  openapi: { id: 'add_extension', tag: 'graph_operations' },
  mcp: { held: 'Changes what a graph is made of and may cost money.' },
  category: 'graph_management',
  role: 'admin',
  input: model('AddExtensionRequest', {
    extension: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The name of the extension, one of those of `GET /v1/graphs/extensions`.',
    }),
  }),
  output: model('AddExtensionResponse', { graph_id: Type.String(), schema_extensions: Type.Array(Type.String()) }),
  services: { graphs: kernel.graphs, domains: kernel.domains, provisioners: kernel.graphProvisioners, graphAccess },

  async handle({ input, ctx, use }) {
    requireEntityGraph(ctx.graph);
    const { id: graphId } = ctx.graph;
    const others = (await use.graphs.find(ctx.tx, graphId))?.extensions ?? [];
    const problem = problemOfExtension(input.extension, { domains: use.domains, others });
    const domain = use.domains.resolve(input.extension);
    if (problem !== undefined || domain === undefined) throw invalidInput(`extension: ${problem}.`);
    if (await use.graphs.addExtension(ctx.tx, graphId, domain)) {
      for (const provisioner of use.provisioners.filter((each) => each.domain === domain))
        await provisioner.provision({ tx: ctx.tx, graphId, caller: ctx.caller, entity: null, now: ctx.now() });
      await use.graphs.markStale(ctx.tx, graphId, 'extension_added');
      // Another process, or a request that read before the commit, learns of it within two seconds.
      use.graphAccess.forgetGraph(graphId);
    }
    const extensions = (await use.graphs.find(ctx.tx, graphId))?.extensions ?? [];
    return { graph_id: graphId, schema_extensions: extensions.map((each) => use.domains.wireName(each)) };
  },
});

function requireEntityGraph(graph: Graph): void {
  if (graph.parentId !== undefined)
    throw invalidInput(`A subgraph has the extensions it was created with. Add it to ${graph.parentId}.`);
  if (graph.type !== 'entity') throw invalidInput('Only a graph of a company can have extensions.');
}
