import { defineOperation, graphAccess, model, oneOf, openObject } from '@pacioli/core';
import { billing } from '../providers.ts';

const changeTierOp = model('ChangeTierOp', {
  new_tier: oneOf(['ladybug-large', 'ladybug-standard', 'ladybug-xlarge']),
});

export default defineOperation({
  name: 'change-tier',
  summary: 'Changes the tier of a graph together with its price and limits.',
  openapi: { id: 'change_tier', tag: 'graph_operations' },
  mcp: { held: 'Changes what the organization pays.' },
  category: 'graph_management',
  role: 'owner',
  runs: 'worker',
  maxSeconds: 120,
  restartable: true,
  // Returning to the previous tier is not a duplicate; the status check refuses a second request during a run.
  dedupe: false,
  // Subscriptions and subgraphs are kernel rows, not rows of the graph.
  acceptedIn: 'kernel',
  input: changeTierOp,
  output: openObject(),
  untypedResult: true,
  services: { billing, graphAccess },

  async admit({ input, ctx, use }) {
    return use.billing.tierChanges.admit(ctx.tx, {
      caller: ctx.caller,
      graph: ctx.graph,
      newTier: input.new_tier,
      operationId: ctx.operationId,
    });
  },

  async handle({ ctx, use }) {
    const subscriptionId = ctx.accepted?.['subscription_id'];
    if (typeof subscriptionId !== 'string') throw new Error('The run of change-tier has lost its subscription.');
    await ctx.report({ message: 'Changing the price', percent: 20 });
    const { graph_id, old_tier, new_tier } = await use.billing.tierChanges.execute(
      subscriptionId,
      ctx.operationId,
      ctx.signal,
    );
    use.graphAccess.forgetGraph(graph_id);
    return { graph_id, old_tier, new_tier, subscription_id: subscriptionId, status: 'completed' };
  },
});
