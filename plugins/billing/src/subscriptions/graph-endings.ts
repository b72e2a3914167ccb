import { type EndingRequest, type Graphs, notFound, type SubscriptionEnding, type Transaction } from '@pacioli/core';
import type { Cancellations } from './cancellations.ts';
import type { GraphSubscriptions } from './graph-subscriptions.ts';
import { checkCancellation, refused } from './refusals.ts';
import { type Subscription, subscriptionOfGraph } from './subscription-rows.ts';
import type { SubscriptionWorkflow } from './subscription-workflow.ts';

/** Ends the subscription of a graph that its owner deletes (graphs G-53). */
export class GraphEndings implements Omit<SubscriptionEnding, 'key'> {
  readonly #cancellations: Cancellations;
  readonly #subscriptions: GraphSubscriptions;
  readonly #workflow: SubscriptionWorkflow;
  readonly #graphs: Graphs;

  constructor(parts: {
    readonly cancellations: Cancellations;
    readonly subscriptions: GraphSubscriptions;
    readonly workflow: SubscriptionWorkflow;
    readonly graphs: Graphs;
  }) {
    this.#cancellations = parts.cancellations;
    this.#subscriptions = parts.subscriptions;
    this.#workflow = parts.workflow;
    this.#graphs = parts.graphs;
  }

  async requireSubscription(request: EndingRequest): Promise<void> {
    await this.#subscriptionOf(request);
  }

  async prepare(request: EndingRequest): Promise<void> {
    const row = await this.#subscriptionOf(request);
    await this.#cancellations.atProvider(row, checkEnding(row, request));
  }

  async end(tx: Transaction, request: EndingRequest): Promise<Date> {
    const { graph, caller } = request;
    const row = await subscriptionOfGraph(tx, graph.id);
    if (row === undefined) throw noSubscription();
    const ended = await this.#cancellations.end(tx, row.id, {
      type: checkEnding(row, request),
      actor: { type: 'user', id: caller.userId },
      request: { immediate: !request.atPeriodEnd, confirm: graph.id },
    });
    return ended.ends_at ?? this.#workflow.now();
  }

  /** Also where nothing is billed, every graph has a subscription (platform B-2). */
  async #subscriptionOf({ graph }: EndingRequest): Promise<Subscription> {
    const row = await this.#workflow.transaction(async (tx) => {
      const record = await this.#graphs.find(tx, graph.id);
      return record === undefined ? undefined : this.#subscriptions.ofGraph(tx, record);
    });
    if (row === undefined) throw noSubscription();
    return row;
  }
}

function checkEnding(row: Subscription, { graph, atPeriodEnd }: EndingRequest): 'immediate' | 'period_end' {
  const type = checkCancellation(row, { immediate: !atPeriodEnd, confirm: graph.id });
  if (!atPeriodEnd || row.status === 'active') return type;
  throw refused(`This subscription is ${row.status}, so it has no paid period to wait for. Omit at_period_end.`);
}

const noSubscription = () => notFound('The graph has no subscription.');
