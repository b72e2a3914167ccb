import {
  type EventPublisher,
  type Log,
  notFound,
  type SecurityAudit,
  type SecurityEvent,
  ServiceError,
  sql,
  type Transaction,
} from '@pacioli/core';
import type { PaidCheckouts } from '../checkout/index.ts';
import webhookReceived from '../events/webhook-received.ts';
import { BadSignature, type PaymentPort, type Webhook, type WebhookData, type WebhookType } from '../payments/index.ts';
import type { BillingEvent } from '../rows.gen.ts';
import {
  type Customers,
  type GraphSubscriptions,
  type Subscription,
  type SubscriptionEvent,
  type SubscriptionWorkflow,
  subscriptionOfProvider,
  theProvider,
} from '../subscriptions/index.ts';

/** The number of retries after the first attempt (platform B-31). */
const maxRetries = 3;

interface WebhookParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly port: PaymentPort;
  readonly events: EventPublisher;
  readonly security: SecurityAudit;
  readonly graphs: GraphSubscriptions;
  readonly checkouts: PaidCheckouts;
  readonly log: Log;
}

type StoredMessage = Pick<BillingEvent, 'type' | 'data' | 'at' | 'attempts' | 'state'> & {
  readonly type: WebhookType | null;
  readonly data: WebhookData;
};

/** Maps the provider’s status to our event. */
const statusEvents: Readonly<Record<string, SubscriptionEvent>> = {
  active: 'charged',
  past_due: 'charge-failed',
  unpaid: 'retries-exhausted',
};

/** Messages of payment providers: stored once, acknowledged immediately and processed by the worker (platform B-31). */
export class Webhooks {
  readonly #parts: WebhookParts;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  /** Stores a message. 404 for a provider that this deployment does not use, 400 for an invalid signature. */
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
    await this.#parts.workflow.transaction((tx) => this.#store(tx, message));
  }

  /** Processes a stored message. Throws to request a retry, at most `maxRetries` times. */
  async handle(provider: string, eventId: string): Promise<void> {
    const [message] = await this.#parts.workflow.transaction((tx) =>
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
      if (message.attempts <= maxRetries) throw error;
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
    const { port, workflow } = this.#parts;
    const now = workflow.now();
    const stored = await tx.query(sql`
      INSERT INTO billing_event (provider, event_id, type, data, at, received_at, state)
      VALUES (${port.provider}, ${message.id}, ${message.type ?? null}, ${JSON.stringify(message.data)}::text::jsonb,
        ${message.at}, ${now}, 'stored')
      ON CONFLICT (provider, event_id) DO NOTHING RETURNING event_id`);
    if (stored.length === 0) return;
    const details = { event: message.id, type: message.type };
    await workflow.audit.append(tx, { type: 'webhook_received', actor: theProvider, details }, now);
    await this.#parts.events.publish(tx, webhookReceived, { provider: port.provider, event_id: message.id });
  }

  async #settle(provider: string, eventId: string, state: 'done' | 'failed', error: string | null): Promise<void> {
    await this.#parts.workflow.transaction((tx) =>
      tx.query(sql`
        UPDATE billing_event SET state = ${state}, error = ${error}
        WHERE provider = ${provider} AND event_id = ${eventId}`),
    );
  }

  async #act(type: WebhookType, data: WebhookData, at: Date): Promise<void> {
    switch (type) {
      case 'checkout.completed':
        return this.#parts.checkouts.complete(data);
      case 'checkout.expired':
        return this.#parts.checkouts.expire(data);
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

  /** Ignores events older than the latest known one (platform B-31). */
  async #news(data: WebhookData, at: Date, event: SubscriptionEvent | undefined): Promise<void> {
    const { workflow, port } = this.#parts;
    if (data.status === 'canceled') return this.#deleted(data);
    if (event === undefined || data.subscription === undefined) return;
    const providerSubscription = data.subscription;
    await workflow.transaction(async (tx) => {
      const row = await subscriptionOfProvider(tx, port.provider, providerSubscription);
      if (row === undefined || (row.provider_at !== null && at < row.provider_at)) return;
      if (event === 'charged') await this.#paid(tx, row, data);
      else refuseWhileUpgrading(row);
      const moved = await workflow.move(tx, row, event, theProvider, { provider_at: at });
      if (moved === undefined) await workflow.note(tx, row, { provider_at: at });
    });
  }

  async #paid(tx: Transaction, row: Subscription, data: WebhookData): Promise<void> {
    if (data.invoice === undefined) return;
    const { workflow } = this.#parts;
    const subject = { orgId: row.org_id, subscriptionId: row.id, details: { invoice: data.invoice } };
    await workflow.audit.append(tx, { type: 'invoice_paid', actor: theProvider, ...subject }, workflow.now());
  }

  async #deleted(data: WebhookData): Promise<void> {
    const { workflow, port } = this.#parts;
    await workflow.transaction(async (tx) => {
      const row = await subscriptionOfProvider(tx, port.provider, data.subscription ?? '');
      const now = workflow.now();
      const patch = { canceled_at: now, ends_at: now, cancellation_type: 'period_end' as const };
      if (row === undefined) return;
      refuseWhileUpgrading(row);
      await workflow.move(tx, row, 'canceled', theProvider, patch);
    });
  }

  async #paymentMethods(data: WebhookData): Promise<void> {
    const { workflow, customers, port } = this.#parts;
    if (data.customer === undefined) return;
    const providerCustomer = data.customer;
    const methods = await port.listPaymentMethods(providerCustomer);
    const customer = await workflow.transaction(async (tx) => {
      const found = await customers.byProvider(tx, providerCustomer);
      if (found !== undefined) await customers.setPaymentMethod(tx, found.org_id, methods.length > 0, theProvider);
      return found;
    });
    if (customer !== undefined && methods.length > 0) await this.#parts.graphs.chargePending(customer.org_id);
  }

  async #note(data: WebhookData, type: 'invoice_generated' | 'refund_processed'): Promise<void> {
    const { workflow, port } = this.#parts;
    await workflow.transaction(async (tx) => {
      const row = await subscriptionOfProvider(tx, port.provider, data.subscription ?? '');
      const subject = row === undefined ? {} : { orgId: row.org_id, subscriptionId: row.id };
      await workflow.audit.append(tx, { type, actor: theProvider, ...subject, details: { ...data } }, workflow.now());
    });
  }
}

/** A tier change manages the status until it ends; the message is retried afterwards. */
function refuseWhileUpgrading(row: Subscription): void {
  if (row.status === 'upgrading') throw new Error(`The subscription ${row.id} is changing its tier.`);
}
