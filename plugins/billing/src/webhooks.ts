import {
  type Caller,
  type EventPublisher,
  isServiceError,
  type Log,
  notFound,
  type OperationRuns,
  type SecurityAudit,
  type SecurityEvent,
  ServiceError,
  sql,
  type Transaction,
} from '@pacioli/core';
import type { Customers } from './customers.ts';
import type { SubscriptionEvent } from './domain/subscription-state.ts';
import { beginningAt } from './domain/subscription-state.ts';
import webhookReceived from './events/webhook-received.ts';
import type { GraphSubscriptions } from './graph-subscriptions.ts';
import { BadSignature, type PaymentPort, type Webhook, type WebhookData, type WebhookType } from './payment-port.ts';
import type { RepositoryGrants } from './repository-grants.ts';
import type { Actor } from './store/billing-audit.ts';
import {
  lockSubscription,
  type Subscription,
  subscriptionOfProvider,
  subscriptionOfSession,
} from './store/subscription-rows.ts';
import type { SubscriptionDesk } from './subscription-desk.ts';

/** How often a message is tried after the first time (platform B-31). */
const retries_max = 3;

interface WebhookParts {
  readonly desk: SubscriptionDesk;
  readonly customers: Customers;
  readonly port: PaymentPort;
  readonly events: EventPublisher;
  readonly security: SecurityAudit;
  readonly operations: OperationRuns;
  readonly graphs: GraphSubscriptions;
  readonly grants: RepositoryGrants;
  readonly log: Log;
}

interface StoredMessage {
  readonly type: WebhookType | null;
  readonly data: WebhookData;
  readonly at: Date;
  readonly attempts: number;
  readonly state: string;
}

/** What a status at the provider means here. */
const statusEvents: Readonly<Record<string, SubscriptionEvent>> = {
  active: 'charged',
  past_due: 'charge-failed',
  unpaid: 'retries-exhausted',
};

/** Messages of payment providers: stored once, answered at once, acted on by the worker (platform B-31). */
export class Webhooks {
  readonly #parts: WebhookParts;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  /** Stores a message. 404 for a provider that this deployment does not use, 400 for a wrong signature. */
  async receive(
    provider: string,
    rawBody: string,
    header: (name: string) => string | undefined,
    request: NonNullable<SecurityEvent['request']>,
  ): Promise<void> {
    const { port } = this.#parts;
    if (provider !== port.provider) throw notFound('This deployment has no such payment provider.');
    const message = await this.#verified(rawBody, header, request);
    if (message.type === undefined) return;
    await this.#parts.desk.transaction((tx) => this.#store(tx, message));
  }

  /** Acts on a stored message. Throws to be tried again, at most `retries_max` times. */
  async handle(provider: string, eventId: string): Promise<void> {
    const [message] = await this.#parts.desk.transaction((tx) =>
      tx.query(sql<StoredMessage>`
        UPDATE billing_event SET attempts = attempts + 1
        WHERE provider = ${provider} AND event_id = ${eventId} AND state = 'stored'
        RETURNING type, data, at, attempts, state`),
    );
    if (message === undefined || message.type === null) return;
    try {
      await this.#act(message.type, message.data, message.at);
      await this.#settle(provider, eventId, 'done', null);
    } catch (error) {
      if (message.attempts <= retries_max) throw error;
      this.#parts.log.error('a payment message was given up', { provider, eventId, error });
      await this.#settle(provider, eventId, 'failed', String(error).slice(0, 500));
    }
  }

  async #verified(
    rawBody: string,
    header: (name: string) => string | undefined,
    request: NonNullable<SecurityEvent['request']>,
  ): Promise<Webhook> {
    try {
      return await this.#parts.port.verifyWebhook(rawBody, header);
    } catch (error) {
      if (!(error instanceof BadSignature)) throw error;
      const details = { reason: error.message, provider: this.#parts.port.provider };
      await this.#parts.security.record({ type: 'suspicious_activity', risk: 'high', request, details });
      throw new ServiceError('refused', 'INVALID_SIGNATURE', 'The signature of this message is missing or wrong.');
    }
  }

  async #store(tx: Transaction, message: Webhook): Promise<void> {
    const { port, desk } = this.#parts;
    const now = desk.now();
    const stored = await tx.query(sql`
      INSERT INTO billing_event (provider, event_id, type, data, at, received_at, state)
      VALUES (${port.provider}, ${message.id}, ${message.type ?? null}, ${JSON.stringify(message.data)}::text::jsonb,
        ${message.at}, ${now}, 'stored')
      ON CONFLICT (provider, event_id) DO NOTHING RETURNING event_id`);
    if (stored.length === 0) return;
    const details = { event: message.id, type: message.type };
    await desk.audit.append(tx, { type: 'webhook_received', actor: theProvider, details }, now);
    await this.#parts.events.publish(tx, webhookReceived, { provider: port.provider, event_id: message.id });
  }

  async #settle(provider: string, eventId: string, state: 'done' | 'failed', error: string | null): Promise<void> {
    await this.#parts.desk.transaction((tx) =>
      tx.query(sql`
        UPDATE billing_event SET state = ${state}, error = ${error}
        WHERE provider = ${provider} AND event_id = ${eventId}`),
    );
  }

  async #act(type: WebhookType, data: WebhookData, at: Date): Promise<void> {
    switch (type) {
      case 'checkout.completed':
        return this.#completeCheckout(data);
      case 'checkout.expired':
        return this.#expireCheckout(data);
      case 'invoice.paid':
        return this.#news(data, at, 'charged');
      case 'invoice.payment_failed':
        return this.#news(data, at, 'charge-failed');
      case 'subscription.updated':
        return this.#news(data, at, statusEvents[data.status ?? '']);
      case 'subscription.deleted':
        return this.#deleted(data);
      case 'payment_method.attached':
      case 'payment_method.detached':
        return this.#paymentMethods(data);
      case 'invoice.created':
        return this.#note(data, 'invoice_generated');
      case 'refund.created':
        return this.#note(data, 'refund_processed');
    }
  }

  /** The money is there; what was bought is made now (platform B-3). */
  async #completeCheckout(data: WebhookData): Promise<void> {
    const { desk, customers, port } = this.#parts;
    const row = await desk.transaction(async (tx) => {
      const found = await subscriptionOfSession(tx, port.provider, data.session ?? '');
      if (found === undefined) return undefined;
      await customers.setPaymentMethod(tx, found.org_id, true, theProvider);
      const patch = { provider_subscription: data.subscription ?? null };
      return (await desk.move(tx, found, 'checkout-completed', theProvider, patch)) ?? found;
    });
    if (row === undefined) throw new Error(`No subscription waits for the checkout ${data.session}.`);
    if (row.status === 'provisioning') await this.#provision(row);
    else if (row.status === 'canceled') await this.#owe(row, data.subscription);
    else if (row.is_refund_due) await this.giveBack(row);
    await this.#parts.graphs.chargePending(row.org_id);
  }

  /** Starts the making of what was paid for. A refusal fails the subscription and gives the money back. */
  async #provision(row: Subscription): Promise<void> {
    const { desk, operations, grants } = this.#parts;
    if (row.resource_type === 'repository' || typeof row.config?.['graph_id'] === 'string') {
      await desk.transaction(async (tx) => {
        const current = await lockSubscription(tx, row.id);
        if (current === undefined) return;
        const ready = await desk.move(tx, current, 'resource-ready', theProvider, beginningAt(desk.now()));
        if (ready !== undefined) await grants.admit(tx, ready);
      });
      return;
    }
    if (row.operation_id !== null) return;
    try {
      const caller = row.requested_by as Caller; // Stored with every checkout.
      const call = { name: 'create-graph', caller, input: row.config, key: row.id, requestId: `checkout_${row.id}` };
      const run = await operations.start(call);
      const graphId = (run.accepted as { graph_id?: unknown } | null)?.graph_id; // What create-graph accepts with.
      await desk.transaction(async (tx) => {
        const current = await lockSubscription(tx, row.id);
        if (current?.status !== 'provisioning') return;
        const resource = typeof graphId === 'string' ? { resource_id: graphId } : {};
        await desk.note(tx, current, { operation_id: run.operationId, ...resource });
      });
    } catch (error) {
      if (!isServiceError(error)) throw error;
      await this.provisioningFailed(row.id, error.message);
    }
  }

  /** What was paid for could not be made: the money goes back, and the reason stays (platform B-3). */
  async provisioningFailed(subscriptionId: string, reason: string): Promise<void> {
    const { desk } = this.#parts;
    const row = await desk.transaction(async (tx) => {
      const current = await lockSubscription(tx, subscriptionId);
      if (current === undefined) return undefined;
      // No graph is there, so that none is named (platform B-11).
      const patch = { error: reason, resource_id: null, is_refund_due: current.provider_subscription !== null };
      return (await desk.move(tx, current, 'provisioning-failed', theProvider, patch)) ?? current;
    });
    if (row?.is_refund_due === true) await this.giveBack(row);
  }

  /** Asks the provider to give back what was paid, until it has; the lifecycle asks again where this fails. */
  async giveBack(row: Subscription): Promise<void> {
    const { desk, port } = this.#parts;
    const subscription = row.provider_subscription;
    if (subscription !== null) {
      await port.cancel({ subscription, atPeriodEnd: false, refund: true }, `give-back:${row.id}`);
    }
    await desk.transaction((tx) => desk.note(tx, row, { is_refund_due: false }));
  }

  /** A checkout that was paid after it had been given up. */
  async #owe(row: Subscription, subscription: string | undefined): Promise<void> {
    if (subscription === undefined) return;
    const { desk } = this.#parts;
    const patch = { provider_subscription: subscription, is_refund_due: true };
    await this.giveBack(await desk.transaction((tx) => desk.note(tx, row, patch)));
  }

  async #expireCheckout(data: WebhookData): Promise<void> {
    const { desk, port } = this.#parts;
    await desk.transaction(async (tx) => {
      const row = await subscriptionOfSession(tx, port.provider, data.session ?? '');
      const now = desk.now();
      const patch = { canceled_at: now, ends_at: now, closed_at: now };
      if (row !== undefined) await desk.move(tx, row, 'checkout-expired', theProvider, patch);
    });
  }

  /** Older news than what is known are left (platform B-31). */
  async #news(data: WebhookData, at: Date, event: SubscriptionEvent | undefined): Promise<void> {
    const { desk, port } = this.#parts;
    if (data.status === 'canceled') return this.#deleted(data);
    if (event === undefined || data.subscription === undefined) return;
    const provider_subscription = data.subscription;
    await desk.transaction(async (tx) => {
      const row = await subscriptionOfProvider(tx, port.provider, provider_subscription);
      if (row === undefined || (row.provider_at !== null && at < row.provider_at)) return;
      if (event === 'charged') await this.#paid(tx, row, data);
      else refuseWhileUpgrading(row);
      const moved = await desk.move(tx, row, event, theProvider, { provider_at: at });
      if (moved === undefined) await desk.note(tx, row, { provider_at: at });
    });
  }

  async #paid(tx: Transaction, row: Subscription, data: WebhookData): Promise<void> {
    if (data.invoice === undefined) return;
    const { desk } = this.#parts;
    const subject = { orgId: row.org_id, subscriptionId: row.id, details: { invoice: data.invoice } };
    await desk.audit.append(tx, { type: 'invoice_paid', actor: theProvider, ...subject }, desk.now());
  }

  async #deleted(data: WebhookData): Promise<void> {
    const { desk, port } = this.#parts;
    await desk.transaction(async (tx) => {
      const row = await subscriptionOfProvider(tx, port.provider, data.subscription ?? '');
      const now = desk.now();
      const patch = { canceled_at: now, ends_at: now, cancellation_type: 'period_end' as const };
      if (row === undefined) return;
      refuseWhileUpgrading(row);
      await desk.move(tx, row, 'canceled', theProvider, patch);
    });
  }

  async #paymentMethods(data: WebhookData): Promise<void> {
    const { desk, customers, port } = this.#parts;
    if (data.customer === undefined) return;
    const providerCustomer = data.customer;
    const methods = await port.listPaymentMethods(providerCustomer);
    const customer = await desk.transaction(async (tx) => {
      const found = await customers.byProvider(tx, providerCustomer);
      if (found !== undefined) await customers.setPaymentMethod(tx, found.org_id, methods.length > 0, theProvider);
      return found;
    });
    if (customer !== undefined && methods.length > 0) await this.#parts.graphs.chargePending(customer.org_id);
  }

  async #note(data: WebhookData, type: 'invoice_generated' | 'refund_processed'): Promise<void> {
    const { desk, port } = this.#parts;
    await desk.transaction(async (tx) => {
      const row = await subscriptionOfProvider(tx, port.provider, data.subscription ?? '');
      const subject = row === undefined ? {} : { orgId: row.org_id, subscriptionId: row.id };
      await desk.audit.append(tx, { type, actor: theProvider, ...subject, details: { ...data } }, desk.now());
    });
  }
}

/** A tier change keeps its own books for a moment; the message is tried again when it has ended. */
function refuseWhileUpgrading(row: Subscription): void {
  if (row.status === 'upgrading') throw new Error(`The subscription ${row.id} is changing its tier.`);
}

const theProvider: Actor = { type: 'webhook' };
