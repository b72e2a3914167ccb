import { type Caller, type KernelSettings, notFound, type TypeOf } from '@pacioli/core';
import type { BillingSettings } from '../config.ts';
import type billingCustomer from '../models/BillingCustomer.ts';
import type invoice from '../models/Invoice.ts';
import type invoicesResponse from '../models/InvoicesResponse.ts';
import type upcomingInvoice from '../models/UpcomingInvoice.ts';
import type { BilledInvoice, InvoiceLine, PaymentPort } from '../payments/index.ts';
import {
  atProvider,
  type Customers,
  requireMember,
  requireOwner,
  requireOwnerOrAdmin,
  type SubscriptionWorkflow,
  subscriptionOfProvider,
} from '../subscriptions/index.ts';
import { invoicesOfOrg } from './invoices.ts';

interface InvoiceParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly port: PaymentPort;
  readonly settings: KernelSettings;
  readonly config: BillingSettings;
}

const noInvoices = { invoices: [], total_count: 0, has_more: false };

/** Reads an organization’s bills; only the owner sees payment details (platform B-9, B-10, P-18 to P-20). */
export class InvoiceReads {
  readonly #parts: InvoiceParts;

  constructor(parts: InvoiceParts) {
    this.#parts = parts;
  }

  async customer(caller: Caller, orgId: string): Promise<TypeOf<typeof billingCustomer>> {
    requireMember(caller, orgId);
    const { workflow, customers, port } = this.#parts;
    const row = await workflow.transaction((tx) => customers.lock(tx, orgId, { type: 'user', id: caller.userId }));
    const id = row.provider === port.provider ? row.provider_customer : null;
    const isShown = caller.orgRole === 'owner' && id !== null;
    const methods = isShown ? await atProvider(() => port.listPaymentMethods(id)) : [];
    return {
      org_id: orgId,
      has_payment_method: row.has_payment_method,
      invoice_billing_enabled: row.invoice_billing_enabled,
      payment_methods: methods.map((method) => ({
        id: method.id,
        type: method.type,
        is_default: method.isDefault,
        brand: method.brand,
        last4: method.last4,
        exp_month: method.expiryMonth,
        exp_year: method.expiryYear,
      })),
      created_at: row.created_at.toISOString(),
      stripe_customer_id: port.showsCustomerIds ? id : null,
    };
  }

  /** A link to the provider’s page for cards and bills; undefined if nothing is billed here. */
  async portal(caller: Caller, orgId: string, key: string): Promise<string | undefined> {
    requireOwner(caller, orgId);
    const { config, settings, port } = this.#parts;
    if (!config.enabled) return undefined;
    const customer = await this.#providerCustomer(orgId);
    if (customer === undefined) throw notFound('No customer found. Complete checkout first.');
    return atProvider(() => port.createPortalSession({ customer, returnUrl: settings.publicUrl }, `portal:${key}`));
  }

  async invoices(caller: Caller, orgId: string, limit: number): Promise<TypeOf<typeof invoicesResponse>> {
    requireOwnerOrAdmin(caller, orgId);
    const { workflow, customers, config, port } = this.#parts;
    if (!config.enabled) return noInvoices;
    const customer = await this.#providerCustomer(orgId);
    const isOwn = (await workflow.transaction((tx) => customers.find(tx, orgId)))?.invoice_billing_enabled === true;
    if (!isOwn && customer === undefined) return noInvoices;
    const page =
      isOwn || customer === undefined
        ? await workflow.transaction((tx) => invoicesOfOrg(tx, orgId, { limit, isOwn: true }))
        : await atProvider(() => port.listInvoices(customer, limit));
    const wired: TypeOf<typeof invoice>[] = [];
    for (const bill of page.invoices) {
      wired.push(wire(bill, isOwn ? bill.subscription : await this.#ourId(bill.subscription)));
    }
    return { invoices: wired, total_count: wired.length, has_more: page.hasMore };
  }

  /** Returns null when nothing is due (platform B-10). */
  async upcoming(caller: Caller, orgId: string): Promise<TypeOf<typeof upcomingInvoice> | null> {
    requireOwnerOrAdmin(caller, orgId);
    const { config, port } = this.#parts;
    const customer = config.enabled ? await this.#providerCustomer(orgId) : undefined;
    const next = customer === undefined ? null : await atProvider(() => port.upcomingInvoice(customer));
    if (next === null) return null;
    return {
      amount_due: next.amountDueCents,
      currency: next.currency,
      period_start: next.periodStart.toISOString(),
      period_end: next.periodEnd.toISOString(),
      line_items: next.lines.map(wireLine),
      subscription_id: await this.#ourId(next.subscription),
    };
  }

  async #providerCustomer(orgId: string): Promise<string | undefined> {
    const { workflow, customers, port } = this.#parts;
    const row = await workflow.transaction((tx) => customers.find(tx, orgId));
    return row?.provider === port.provider ? (row.provider_customer ?? undefined) : undefined;
  }

  /** Bills identify subscriptions by the provider’s ids, the wire by ours. */
  async #ourId(id: string | null): Promise<string | null> {
    if (id === null) return null;
    const { workflow, port } = this.#parts;
    return (await workflow.transaction((tx) => subscriptionOfProvider(tx, port.provider, id)))?.id ?? null;
  }
}

function wire(bill: BilledInvoice, subscriptionId: string | null): TypeOf<typeof invoice> {
  return {
    id: bill.id,
    status: bill.status,
    amount_due: bill.amountDueCents,
    amount_paid: bill.amountPaidCents,
    currency: bill.currency,
    created: bill.createdAt.toISOString(),
    line_items: bill.lines.map(wireLine),
    number: bill.number,
    due_date: bill.dueAt?.toISOString() ?? null,
    paid_at: bill.paidAt?.toISOString() ?? null,
    invoice_pdf: bill.pdfUrl,
    hosted_invoice_url: bill.hostedUrl,
    subscription_id: subscriptionId,
  };
}

function wireLine(line: InvoiceLine) {
  return {
    description: line.description,
    amount: line.amount_cents,
    quantity: line.quantity,
    period_start: line.periodStart?.toISOString() ?? null,
    period_end: line.periodEnd?.toISOString() ?? null,
  };
}
