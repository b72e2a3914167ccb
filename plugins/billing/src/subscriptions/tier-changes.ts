import {
  type Caller,
  type Credits,
  type Graph,
  type Graphs,
  type Log,
  notFound,
  type OperationRuns,
  ServiceError,
  sql,
  type Transaction,
  tierNumbers,
} from '@pacioli/core';
import type { PaymentPort } from '../payments/index.ts';
import type { Actor } from './billing-audit.ts';
import type { GraphSubscriptions } from './graph-subscriptions.ts';
import { type Plan, type Plans, priceKey } from './plans.ts';
import { refused } from './refusals.ts';
import { lockSubscription, type Subscription, subscriptionsWhere } from './subscription-rows.ts';
import type { SubscriptionWorkflow } from './subscription-workflow.ts';

/** The time without progress after which a run is considered lost; longer than any run may take. */
const stuckSeconds = 300;

interface TierParts {
  readonly workflow: SubscriptionWorkflow;
  readonly plans: Plans;
  readonly port: PaymentPort;
  readonly graphs: Graphs;
  readonly credits: Credits;
  readonly subscriptions: GraphSubscriptions;
  readonly operations: OperationRuns;
  readonly log: Log;
}

export interface TierChange {
  readonly graph_id: string;
  readonly old_tier: string;
  readonly new_tier: string;
  readonly subscription_id: string;
}

/** Changes the tier of a graph together with its price, entirely or not at all (platform B-17). */
export class TierChanges {
  readonly #parts: TierParts;

  constructor(parts: TierParts) {
    this.#parts = parts;
  }

  /** Runs the checks of platform B-17 in order; then blocks writes to the graph until the run ends. */
  async admit(
    tx: Transaction,
    { caller, graph, newTier, operationId }: { caller: Caller; graph: Graph; newTier: string; operationId: string },
  ): Promise<{ subscription_id: string }> {
    const { workflow, plans, graphs } = this.#parts;
    if (plans.isRepository(graph.id)) {
      throw new ServiceError('forbidden', 'FORBIDDEN', 'The tier of a shared repository cannot be changed.');
    }
    if (graph.parentId !== undefined) throw refused('A subgraph has the tier of its parent. Change it there.');
    const record = await graphs.find(tx, graph.id);
    if (record === undefined) throw notFound('Graph not found.');
    const found = await this.#parts.subscriptions.ofGraph(tx, record);
    const row = found === undefined ? undefined : await lockSubscription(tx, found.id);
    if (row === undefined) throw notFound(`No subscription found for ${graph.id}`);
    if (row.status !== 'active') {
      throw refused(`The tier can be changed while the subscription is active; it is ${row.status}.`);
    }
    const plan = plans.ofTier(newTier);
    if (plan === undefined) throw refused(`Unknown tier '${newTier}'.`);
    if (row.plan_name === plan.name) throw refused('Already on this tier.');
    await this.#requireFit(tx, graph.id, plan);
    const before = { plan_name: row.plan_name, base_price_cents: row.base_price_cents, tier: record.tier };
    const actor: Actor = { type: 'user', id: caller.userId };
    await workflow.move(tx, row, 'upgrade-started', actor, {
      plan_name: plan.name,
      base_price_cents: plan.priceCents,
      operation_id: operationId,
      before_change: before,
      error: null,
    });
    return { subscription_id: row.id };
  }

  /** Executes an admitted change. On failure, undoes its steps in reverse order and rethrows. */
  async execute(subscriptionId: string, operationId: string, signal: AbortSignal): Promise<TierChange> {
    const { workflow, plans, graphs, port } = this.#parts;
    try {
      const row = await workflow.transaction(async (tx) => {
        const current = await this.#own(tx, subscriptionId, operationId);
        await graphs.setTier(tx, current.graphId, current.row.plan_name);
        // The accepting request blocked writes; from here on all processes see it.
        return workflow.note(tx, current.row, {});
      });
      const plan = plans.ofTier(row.plan_name);
      if (plan === undefined) throw new Error(`The tier ${row.plan_name} no longer exists.`);
      signal.throwIfAborted();
      if (row.provider_subscription !== null) {
        const price = await port.ensurePrice(plans.priceOf(plan), priceKey(plan));
        const change = { subscription: row.provider_subscription, price, proration: true };
        await port.changePrice(change, `tier:${operationId}`);
      }
      signal.throwIfAborted();
      // The embedded engine reads the limits of a tier when it opens a graph, so no data has to move.
      return await this.#complete(subscriptionId, operationId);
    } catch (error) {
      await this.undo(subscriptionId, operationId);
      throw error;
    }
  }

  /** Restores the previous state. If that fails, reports it to the operator and keeps blocking writes. */
  async undo(subscriptionId: string, operationId: string): Promise<void> {
    const { workflow, plans, graphs, port, log } = this.#parts;
    try {
      const row = await workflow.transaction((tx) => lockSubscription(tx, subscriptionId));
      const before = row?.before_change;
      if (row?.status !== 'upgrading' || row.operation_id !== operationId || before == null) return;
      const plan = plans.ofTier(before.plan_name);
      if (row.provider_subscription !== null && plan !== undefined) {
        // Harmless if the price never changed, because it is then the same one.
        const price = await port.ensurePrice(
          { ...plans.priceOf(plan), amount_cents: before.base_price_cents },
          priceKey(plan),
        );
        const change = { subscription: row.provider_subscription, price, proration: true };
        await port.changePrice(change, `tier-back:${operationId}`);
      }
      await workflow.transaction(async (tx) => {
        const { row: current, graphId } = await this.#own(tx, subscriptionId, operationId);
        await graphs.setTier(tx, graphId, before.tier);
        const { plan_name, base_price_cents } = before;
        const patch = { plan_name, base_price_cents, before_change: null };
        await workflow.move(tx, current, 'upgrade-ended', { type: 'system' }, patch);
      });
    } catch (error) {
      log.error(
        'OPERATOR ALERT: a tier change could not be undone; the graph rejects writes until an operator intervenes',
        {
          subscription: subscriptionId,
          operation: operationId,
          error,
        },
      );
    }
  }

  /** Undoes changes whose run ended without doing so: canceled in the queue, or lost with its worker. */
  async settleLost(): Promise<void> {
    const { workflow, operations } = this.#parts;
    const since = new Date(workflow.now().getTime() - stuckSeconds * 1000);
    const rows = await workflow.transaction((tx) =>
      subscriptionsWhere(tx, sql`status = 'upgrading' AND updated_at <= ${since}`),
    );
    for (const row of rows) {
      const operationId = row.operation_id;
      if (operationId === null) continue;
      const state = await workflow.transaction((tx) => operations.state(tx, operationId));
      if (state !== undefined && ['pending', 'running', 'awaiting_input'].includes(state.status)) continue;
      await this.undo(row.id, operationId);
    }
  }

  async #complete(subscriptionId: string, operationId: string): Promise<TierChange> {
    const { workflow, credits } = this.#parts;
    return workflow.transaction(async (tx) => {
      const { row, graphId } = await this.#own(tx, subscriptionId, operationId);
      const before = row.before_change;
      if (before === null) throw new Error(`The tier change of ${subscriptionId} has lost the previous state.`);
      await workflow.move(tx, row, 'upgrade-ended', { type: 'system' }, { before_change: null });
      // The last step, so that it never has to be undone (platform C-16).
      await credits.changeAllocation(tx, { graphId }, row.plan_name);
      const type = row.base_price_cents > before.base_price_cents ? 'plan_upgraded' : 'plan_downgraded';
      const details = { from: before.plan_name, to: row.plan_name };
      const subject = { orgId: row.org_id, subscriptionId: row.id, details };
      await workflow.audit.append(tx, { type, actor: { type: 'system' }, ...subject }, workflow.now());
      return {
        graph_id: graphId,
        old_tier: before.tier,
        new_tier: row.plan_name,
        subscription_id: row.id,
      };
    });
  }

  /** The subscription, as long as this run is the one that changes it. */
  async #own(tx: Transaction, id: string, operationId: string): Promise<{ row: Subscription; graphId: string }> {
    const row = await lockSubscription(tx, id);
    if (row?.status !== 'upgrading' || row.operation_id !== operationId || row.resource_id === null) {
      throw new ServiceError('conflict', 'INVALID_STATE', 'This tier change is no longer in progress.');
    }
    return { row, graphId: row.resource_id };
  }

  /** Platform B-17: a smaller tier must fit the current usage. */
  async #requireFit(tx: Transaction, graphId: string, plan: Plan): Promise<void> {
    const most = tierNumbers(plan.name).maxSubgraphs;
    if (most < 0) return;
    const count = await this.#parts.graphs.subgraphCount(tx, graphId);
    if (count <= most) return;
    throw refused(
      `The tier ${plan.displayName} holds ${most} subgraphs and this graph has ${count}. Delete ${count - most} subgraph(s) first.`,
    );
  }
}
