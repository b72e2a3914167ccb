import { securityAudit } from '../audit/security-audit.ts';
import { type Credits, credits } from '../credits/credits.ts';
import type { RunContext } from '../define/context.ts';
import { defineOperation } from '../define/operation.ts';
import graphCreated from '../events/graph-created.ts';
import { graphSchemas } from '../graph-schema/index.ts';
import createGraphRequest from '../models/CreateGraphRequest.ts';
import { openObject } from '../schema/model.ts';
import { type Domains, type GraphProvisioner, kernel } from '../services/kernel-tokens.ts';
import { graphAccess } from '../tenancy/graph-access.ts';
import { graphAdmission } from '../tenancy/graph-admission.ts';
import { activateGraph, registerGraph, withdrawGraph } from '../tenancy/graph-creation.ts';
import { requireGraphQuota } from '../tenancy/graph-places.ts';
import type { NewGraph } from '../tenancy/new-graph-rules.ts';
import { provisioningGates } from '../tenancy/provisioning-gates.ts';
import { selectGraph } from '../tenancy/user-graphs.ts';

export default defineOperation({
  name: 'create-graph',
  path: 'POST /v1/graphs',
  summary: 'Creates a graph for one company with the chosen extensions, or one with a schema of its own for files.',
  openapi: { id: 'create_graph', tag: 'graphs' },
  // There is no graph yet, so the role in the organization decides (platform P-2).
  role: 'admin',
  refusal: 'Only organization owners and admins can create graphs',
  mcp: { held: 'Has no graph to be called on, and may cost money.' },
  runs: 'worker',
  maxSeconds: 120,
  restartable: true,
  // Two graphs may have the same name, so equal requests do not join (platform N-13).
  dedupe: false,
  input: createGraphRequest,
  output: openObject(),
  untypedResult: true,
  failsPlain: [402],
  emits: [graphCreated],
  services: {
    store: kernel.store,
    admission: graphAdmission,
    domains: kernel.domains,
    provisioners: kernel.graphProvisioners,
    schemas: graphSchemas,
    gates: provisioningGates,
    audit: securityAudit,
    graphAccess,
    credits,
  },
  errors: {
    EMAIL_NOT_VERIFIED: { kind: 'forbidden', meaning: 'The caller has not verified their email address.' },
    GRAPH_LIMIT_REACHED: { kind: 'forbidden', meaning: 'The organization has reached its limit of graphs.' },
  },

  // Role, quota and payment are checked before the body (platform B-6).
  async precheck({ caller, tx, use }) {
    await use.admission.requireStanding(tx, caller, { hold: false }, use.gates);
  },

  async admit({ input, ctx, use }) {
    // The id is chosen at acceptance, so that a second attempt of the run finds the rows of the first.
    const promisedId = ctx.params['graph_id'];
    const order = { caller: ctx.caller, request: input };
    const graphId = await use.admission.admit(ctx.tx, order, { promisedId, gates: use.gates });
    return { graph_id: graphId };
  },

  async handle({ input, ctx, use }) {
    const graphId = acceptedGraphId(ctx);
    const graph = use.admission.plan(input);
    const createdAt = ctx.now();
    await ctx.report({ message: 'Checking the organization', percent: 10 });
    let orgId: string;
    try {
      orgId = await ctx.transaction(async (tx) => {
        const owner = await requireGraphQuota(tx, ctx.caller, { graphId, hold: true });
        if (graph.schema !== null) await use.schemas.declare(tx, graphId, graph.schema, createdAt);
        await registerGraph(tx, { graphId, orgId: owner, graph, caller: ctx.caller, now: createdAt });
        return owner;
      });
      await ctx.report({ message: 'The graph has its place', percent: 20 });
      await ctx.report({ message: 'Its schema is declared', percent: 55 });
      await ctx.report({ message: 'Its creator has access', percent: 75 });
      if (graph.domains.length > 0) await ctx.report({ message: 'Preparing its records', percent: 82 });
      await provision(ctx, { graphId, graph, provisioners: use.provisioners, credits: use.credits });
      await ctx.report({ message: 'Its records and credits are ready', percent: 92 });
    } catch (error) {
      // Not through the run's transactions: this must also happen after the run was canceled (graphs G-31).
      await use.store.transaction('kernel', (tx) => withdrawGraph(tx, graphId));
      throw error;
    }
    await use.store.transaction('kernel', async (tx) => {
      await selectGraph(tx, ctx.caller.userId, graphId);
      const request = { requestId: ctx.requestId, endpoint: 'POST /v1/graphs' };
      await use.audit.append(tx, { type: 'graph_created', risk: 'low', caller: ctx.caller, graphId, request });
    });
    use.graphAccess.forgetGraph(graphId);
    await ctx.report({ message: 'The graph is ready', percent: 100 });
    ctx.emit(graphCreated, { graph_id: graphId, org_id: orgId, tier: graph.tier, created_by: ctx.caller.userId });
    return resultOf(graphId, graph, { createdAt, domains: use.domains });
  },
});

function acceptedGraphId(ctx: RunContext): string {
  const graphId = ctx.accepted?.['graph_id'];
  if (typeof graphId !== 'string') throw new Error('The run of create-graph has lost the id of its graph.');
  return graphId;
}

/** Provisions the domains and activates the graph in one transaction, so that no partial graph is visible. */
async function provision(
  ctx: RunContext,
  {
    graphId,
    graph,
    provisioners,
    credits: pools,
  }: { graphId: string; graph: NewGraph; provisioners: readonly GraphProvisioner[]; credits: Credits },
): Promise<void> {
  const now = ctx.now();
  await ctx.transaction(
    async (tx) => {
      if (!(await activateGraph(tx, graphId, now))) return;
      await pools.open(tx, { graphId }, graph.tier);
      for (const provisioner of provisioners.filter(({ domain }) => graph.domains.includes(domain))) {
        await provisioner.provision({ tx, graphId, caller: ctx.caller, entity: graph.entity, now });
      }
    },
    { graphId },
  );
}

/** Builds the result of the run, without names of machines (graphs G-29). */
function resultOf(
  graphId: string,
  graph: NewGraph,
  facts: { createdAt: Date; domains: Domains },
): Record<string, unknown> {
  const extensions = graph.domains.map((domain) => facts.domains.wireName(domain));
  return {
    graph_id: graphId,
    status: 'created',
    tier: graph.tier,
    entity: graph.entity,
    created_at: facts.createdAt.toISOString(),
    metadata: {
      graph_id: graphId,
      tier: graph.tier,
      schema_type: graph.schema === null ? 'extensions' : 'custom',
      schema_extensions: extensions,
    },
  };
}
