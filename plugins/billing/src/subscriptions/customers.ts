import { type Caller, columnsOf, type OrgDirectory, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { BillingSettings } from '../config.ts';
import type { PaymentPort } from '../payments/index.ts';
import type { BillingCustomer } from '../rows.gen.ts';
import type { Actor } from './billing-audit.ts';
import type { SubscriptionWorkflow } from './subscription-workflow.ts';

const columns = columnsOf<BillingCustomer>()(
  'org_id',
  'provider',
  'provider_customer',
  'has_payment_method',
  'invoice_billing_enabled',
  'created_at',
);

/** The billing data of an organization. */
export type Customer = RowOf<typeof columns>;

/** Organizations as customers; rows are created on first use (platform B-1). */
export class Customers {
  readonly #workflow: SubscriptionWorkflow;
  readonly #port: PaymentPort;
  readonly #config: BillingSettings;
  readonly #members: OrgDirectory;

  constructor(parts: {
    workflow: SubscriptionWorkflow;
    port: PaymentPort;
    config: BillingSettings;
    members: OrgDirectory;
  }) {
    this.#workflow = parts.workflow;
    this.#port = parts.port;
    this.#config = parts.config;
    this.#members = parts.members;
  }

  async find(tx: Transaction, orgId: string): Promise<Customer | undefined> {
    const [row] = await tx.query(sql<Customer>`
      SELECT ${columns} FROM billing_customer WHERE org_id = ${orgId}`);
    return row;
  }

  /** Returns the customer of an organization and locks its row until the transaction ends. */
  async lock(tx: Transaction, orgId: string, actor: Actor): Promise<Customer> {
    const now = this.#workflow.now();
    const made = await tx.query(sql`
      INSERT INTO billing_customer (org_id, provider, created_at, updated_at)
      VALUES (${orgId}, ${this.#port.provider}, ${now}, ${now}) ON CONFLICT (org_id) DO NOTHING RETURNING org_id`);
    if (made.length > 0) await this.#workflow.audit.append(tx, { type: 'customer_created', actor, orgId }, now);
    const [row] = await tx.query(sql<Customer>`
      SELECT ${columns} FROM billing_customer WHERE org_id = ${orgId} FOR UPDATE`);
    if (row === undefined) throw new Error(`The customer ${orgId} was not stored.`);
    return row;
  }

  /**
   * Returns the provider’s customer id, creating the customer with the caller as contact if needed. Calls the provider.
   */
  async atProvider(caller: Caller, orgId: string): Promise<string> {
    const actor: Actor = { type: 'user', id: caller.userId };
    const known = await this.#workflow.transaction(async (tx) => ({
      customer: await this.lock(tx, orgId, actor),
      name: await this.#members.nameOf(tx, orgId),
    }));
    const { customer, name } = known;
    if (customer.provider_customer !== null && customer.provider === this.#port.provider) {
      return customer.provider_customer;
    }
    const id = await this.#port.createCustomer(
      { orgId, email: caller.email, name: name ?? caller.name },
      `customer:${orgId}`,
    );
    await this.#workflow.transaction((tx) =>
      tx.query(sql`
        UPDATE billing_customer SET provider = ${this.#port.provider}, provider_customer = ${id},
          updated_at = ${this.#workflow.now()} WHERE org_id = ${orgId}`),
    );
    return id;
  }

  /** True if an organization may create resources that cost money (platform B-6). */
  async canPay(tx: Transaction, orgId: string): Promise<boolean> {
    if (!this.#config.enabled) return true;
    const customer = await this.find(tx, orgId);
    return customer !== undefined && (customer.has_payment_method || customer.invoice_billing_enabled);
  }

  /** The organization of a provider’s customer. */
  async byProvider(tx: Transaction, providerCustomer: string): Promise<Customer | undefined> {
    const [row] = await tx.query(sql<Customer>`
      SELECT ${columns} FROM billing_customer WHERE provider = ${this.#port.provider} AND provider_customer = ${providerCustomer}`);
    return row;
  }

  /** Records whether the organization has a payment method. */
  async setPaymentMethod(tx: Transaction, orgId: string, hasOne: boolean, actor: Actor): Promise<void> {
    const customer = await this.lock(tx, orgId, actor);
    if (customer.has_payment_method === hasOne) return;
    const now = this.#workflow.now();
    await tx.query(sql`
      UPDATE billing_customer SET has_payment_method = ${hasOne}, updated_at = ${now} WHERE org_id = ${orgId}`);
    const type = hasOne ? 'payment_method_added' : 'payment_method_removed';
    await this.#workflow.audit.append(tx, { type, actor, orgId }, now);
  }

  /** Switches payment by invoice for an organization; only the operator of a deployment may do so (platform B-1). */
  async setInvoiceBilling(tx: Transaction, orgId: string, isEnabled: boolean, actor: Actor): Promise<void> {
    const customer = await this.lock(tx, orgId, actor);
    if (customer.invoice_billing_enabled === isEnabled) return;
    const now = this.#workflow.now();
    await tx.query(sql`
      UPDATE billing_customer SET invoice_billing_enabled = ${isEnabled}, updated_at = ${now}
      WHERE org_id = ${orgId}`);
    const type = isEnabled ? 'invoice_billing_enabled' : 'invoice_billing_disabled';
    await this.#workflow.audit.append(tx, { type, actor, orgId }, now);
  }
}
