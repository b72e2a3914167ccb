import {
  defineOperation,
  type EndingRequest,
  finishedAtOnce,
  type Graph,
  graphAccess,
  graphRemovals,
  instant,
  kernel,
  model,
  notFound,
  nullable,
  oneOf,
  ServiceError,
  securityAudit,
  subscriptionEndings,
} from '@pacioli/core';
import { Type } from 'typebox';

export default defineOperation({
  name: 'delete-graph',
  summary: 'Deletes a graph with all its data and ends its subscription, at once or with the paid period.',
  openapi: { id: 'delete_graph', tag: 'graph_operations' },
  mcp: { held: 'Ends a graph and its subscription, which only a person may decide.' },
  category: 'graph_management',
  role: 'admin',
  effect: 'destructive',
  // A subscription that has ended already is refused with its own reason.
  whileBlocked: true,
  // A repeated request with its key gets the first answer, although the graph is gone by then.
  onFormerGraphs: true,
  runs: 'worker',
  maxSeconds: 60,
  restartable: false,
  dedupe: false,
  acceptedIn: 'kernel',
  input: model(
    'DeleteGraphOp',
    {
      confirm: Type.String(),
      at_period_end: Type.Optional(Type.Boolean({ default: false })),
    },
    {
      fields: {
        confirm: 'The id of the graph in the path, as a guard against deleting another one.',
        at_period_end: 'True to keep the graph readable until the end of the paid period.',
      },
    },
  ),
  output: model('DeleteGraphResult', {
    graph_id: Type.String(),
    status: oneOf(['deprovisioning_queued', 'scheduled_for_deprovision']),
    ends_at: nullable(instant()),
    message: Type.String(),
  }),
  untypedResult: true,
  services: {
    store: kernel.store,
    graphAccess,
    removals: graphRemovals,
    audit: securityAudit,
    endings: subscriptionEndings,
  },
  errors: {
    NOT_CONFIRMED: { kind: 'refused', meaning: 'confirm is not the id of the graph in the path.' },
    GRAPH_IS_SUBGRAPH: { kind: 'refused', meaning: 'The id is that of a subgraph; delete-subgraph deletes it.' },
    NO_PAID_PERIOD: { kind: 'refused', meaning: 'at_period_end is set, but nothing is paid for the graph.' },
  },

  async precheck({ caller, graph, use }) {
    if (graph !== undefined) use.graphAccess.requireRole(caller, graph, 'owner');
  },

  // The payment provider is told before the transaction that records the end.
  async prepare({ input, ctx, use }): Promise<void> {
    const { graph, caller } = ctx;
    if (graph.isFormer === true) throw notFound('Graph not found.');
    requireConfirmed(graph, input.confirm);
    const request: EndingRequest = { graph, caller, atPeriodEnd: input.at_period_end === true };
    for (const ending of use.endings) await ending.requireSubscription(request);
    use.graphAccess.requireRole(caller, graph, 'owner');
    if (request.atPeriodEnd && use.endings.length === 0) {
      const message = 'Nothing is paid for graphs of this deployment, so there is no period to wait for.';
      throw new ServiceError('refused', 'NO_PAID_PERIOD', `${message} Omit at_period_end to delete the graph at once.`);
    }
    for (const ending of use.endings) await ending.prepare(request);
  },

  async admit({ input, ctx, use }) {
    const { graph, caller, tx } = ctx;
    const atPeriodEnd = input.at_period_end === true;
    let endsAt: Date | null = null;
    for (const ending of use.endings) endsAt = await ending.end(tx, { graph, caller, atPeriodEnd });
    await use.audit.append(tx, {
      type: 'graph_deleted',
      risk: 'high',
      caller,
      request: { requestId: ctx.requestId, endpoint: 'POST /v1/graphs/{graph_id}/operations/delete-graph' },
      graphId: graph.id,
      details: { at_period_end: atPeriodEnd, ends_at: endsAt?.toISOString() ?? null },
    });
    if (!atPeriodEnd) await use.removals.request(tx, graph.id, caller.userId);
    use.graphAccess.forgetGraph(graph.id);
    return finishedAtOnce({
      graph_id: graph.id,
      status: atPeriodEnd ? 'scheduled_for_deprovision' : 'deprovisioning_queued',
      ends_at: endsAt?.toISOString() ?? null,
      message: atPeriodEnd
        ? 'The graph can be read until its paid period ends, and is removed seven days later.'
        : 'The graph is out of reach. A final backup is taken, and then its data is removed.',
    });
  },

  async handle(): Promise<never> {
    throw new Error('delete-graph ends when it is accepted.');
  },
});

function requireConfirmed(graph: Graph, confirm: string): void {
  if (graph.parentId !== undefined) {
    const message = `This is a subgraph. Delete it with delete-subgraph on its parent, ${graph.parentId}.`;
    throw new ServiceError('refused', 'GRAPH_IS_SUBGRAPH', message);
  }
  if (confirm === graph.id) return;
  throw new ServiceError(
    'refused',
    'NOT_CONFIRMED',
    `To delete this graph, send confirm with the value '${graph.id}'.`,
  );
}
