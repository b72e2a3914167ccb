import { type Caller, type Graphs, notFound, requireGraphId, type TypeOf } from '@pacioli/core';
import type graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import type { GraphSubscriptions } from './graph-subscriptions.ts';
import { noGraphOfYours } from './graph-subscriptions.ts';
import type { Plans } from './plans.ts';
import { requireMember, requireOwner } from './refusals.ts';
import type { RepositorySubscriptions } from './repository-subscriptions.ts';
import { lockSubscription, type Subscription, subscriptionsOfOrg } from './subscription-rows.ts';
import type { SubscriptionWorkflow } from './subscription-workflow.ts';

export type WireSubscription = TypeOf<typeof graphSubscriptionResponse>;

interface ReadParts {
  readonly workflow: SubscriptionWorkflow;
  readonly plans: Plans;
  readonly graphs: Graphs;
  readonly subscriptions: GraphSubscriptions;
  readonly repositories: RepositorySubscriptions;
}

/** Reads an organization’s subscriptions for its members (platform B-11, B-16). */
export class SubscriptionReads {
  readonly #parts: ReadParts;

  constructor(parts: ReadParts) {
    this.#parts = parts;
  }

  async list(caller: Caller, orgId: string): Promise<readonly WireSubscription[]> {
    requireMember(caller, orgId);
    const rows = await this.#parts.workflow.transaction(async (tx) => {
      await this.#parts.subscriptions.completeOrg(tx, orgId);
      return subscriptionsOfOrg(tx, orgId);
    });
    return rows.map((row) => this.toResponse(row));
  }

  async find(caller: Caller, orgId: string, id: string): Promise<Subscription> {
    requireMember(caller, orgId);
    return this.#inside(orgId, id);
  }

  /** Finds a subscription for a caller who may cancel it (platform P-18). */
  async findAsOwner(caller: Caller, orgId: string, id: string): Promise<Subscription> {
    requireOwner(caller, orgId);
    return this.#inside(orgId, id);
  }

  /** A graph’s subscription for any member of its organization, or the caller’s own subscription to a repository. */
  async ofResource(caller: Caller, graphId: string): Promise<Subscription> {
    if (this.#parts.plans.isRepository(graphId)) return this.#parts.repositories.own(caller, graphId);
    requireGraphId(graphId);
    const row = await this.#parts.workflow.transaction(async (tx) => {
      const graph = await this.#parts.graphs.find(tx, graphId);
      if (graph === undefined || graph.orgId !== caller.orgId) throw noGraphOfYours();
      return this.#parts.subscriptions.ofGraph(tx, graph);
    });
    if (row === undefined) throw notFound(`No subscription found for ${graphId}`);
    return row;
  }

  toResponse(row: Subscription): WireSubscription {
    return {
      id: row.id,
      resource_type: row.resource_type,
      resource_id: row.resource_id ?? '',
      plan_name: row.plan_name,
      plan_display_name: this.#parts.plans.displayNameOf(row),
      billing_interval: row.billing_interval,
      status: row.status,
      base_price_cents: row.base_price_cents,
      created_at: row.created_at.toISOString(),
      user_id: row.user_id,
      current_period_start: row.current_period_start?.toISOString() ?? null,
      current_period_end: row.current_period_end?.toISOString() ?? null,
      started_at: row.started_at?.toISOString() ?? null,
      canceled_at: row.canceled_at?.toISOString() ?? null,
      ends_at: row.ends_at?.toISOString() ?? null,
      operation_id: row.status === 'upgrading' || row.status === 'provisioning' ? row.operation_id : null,
    };
  }

  /** 404 for another organization’s subscription, as for an unknown one (platform B-11). */
  async #inside(orgId: string, id: string): Promise<Subscription> {
    const row = await this.#parts.workflow.transaction((tx) => lockSubscription(tx, id));
    if (row?.org_id === orgId) return row;
    throw notFound('Subscription not found.');
  }
}
