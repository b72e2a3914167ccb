import { type Ids, sql, type Transaction } from '@pacioli/core';
import type { BilledInvoice, InvoicePage } from '../payments/index.ts';
import type { BillingInvoice } from '../rows.gen.ts';
import type { Period } from '../subscriptions/index.ts';

export interface NewInvoice {
  readonly orgId: string;
  /** Set for invoices of this deployment, for customers who pay by invoice. */
  readonly subscriptionId?: string;
  /** Set for invoices of the embedded provider. */
  readonly providerSubscription?: string;
  readonly amount_cents: number;
  readonly currency: string;
  readonly description: string;
  readonly period: Period;
  readonly isPaid: boolean;
  readonly dueAt: Date | null;
}

/** Inserts the invoice of a period; returns the id of the existing one if there is one. */
export async function writeInvoice(
  tx: Transaction,
  ids: Ids,
  invoice: NewInvoice,
  now: Date,
): Promise<{ id: string; isNew: boolean }> {
  const [stored] = await tx.query(sql<Pick<BillingInvoice, 'id'>>`
    INSERT INTO billing_invoice (id, org_id, subscription_id, provider_subscription, status, currency, amount_due_cents,
      amount_paid_cents, description, period_start, period_end, created_at, due_at, paid_at)
    VALUES (${ids.make('inv')}, ${invoice.orgId}, ${invoice.subscriptionId ?? null},
      ${invoice.providerSubscription ?? null}, ${invoice.isPaid ? 'paid' : 'open'}, ${invoice.currency},
      ${invoice.amount_cents}, ${invoice.isPaid ? invoice.amount_cents : 0}, ${invoice.description},
      ${invoice.period.start}, ${invoice.period.end}, ${now}, ${invoice.dueAt}, ${invoice.isPaid ? now : null})
    ON CONFLICT DO NOTHING RETURNING id`);
  if (stored !== undefined) return { id: stored.id, isNew: true };
  const [earlier] = await tx.query(sql<Pick<BillingInvoice, 'id'>>`
    SELECT id FROM billing_invoice WHERE period_start = ${invoice.period.start}
      AND (subscription_id = ${invoice.subscriptionId ?? null}
        OR provider_subscription = ${invoice.providerSubscription ?? null})`);
  if (earlier === undefined) throw new Error('An invoice could neither be inserted nor found.');
  return { id: earlier.id, isNew: false };
}

/** Marks an open invoice as paid; false when it is not open. */
export async function payInvoice(tx: Transaction, invoiceId: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE billing_invoice SET status = 'paid', amount_paid_cents = amount_due_cents, paid_at = ${now}
    WHERE id = ${invoiceId} AND status = 'open' RETURNING id`);
  return rows.length > 0;
}

/** Voids the latest paid invoice of a provider’s subscription. */
export async function voidLatestInvoice(tx: Transaction, providerSubscription: string): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE billing_invoice SET status = 'void', amount_paid_cents = 0, paid_at = NULL
    WHERE id = (SELECT id FROM billing_invoice
      WHERE provider_subscription = ${providerSubscription} AND status = 'paid'
      ORDER BY created_at DESC, id DESC LIMIT 1) RETURNING id`);
  return rows.length > 0;
}

/** The invoices that this deployment issued to an organization, newest first. */
export async function invoicesOfOrg(
  tx: Transaction,
  orgId: string,
  { limit, isOwn }: { limit: number; isOwn: boolean },
): Promise<InvoicePage> {
  const rows = await tx.query(sql<BillingInvoice>`
    SELECT * FROM billing_invoice WHERE org_id = ${orgId} AND (subscription_id IS NOT NULL) = ${isOwn}
    ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`);
  return { invoices: rows.slice(0, limit).map(invoiceOf), hasMore: rows.length > limit };
}

function invoiceOf(row: BillingInvoice): BilledInvoice {
  return {
    id: row.id,
    number: `INV-${String(row.number).padStart(6, '0')}`,
    status: row.status,
    amountDueCents: row.amount_due_cents,
    amountPaidCents: row.amount_paid_cents,
    currency: row.currency,
    createdAt: row.created_at,
    dueAt: row.due_at,
    paidAt: row.paid_at,
    pdfUrl: null,
    hostedUrl: null,
    subscription: row.provider_subscription ?? row.subscription_id,
    lines: [
      {
        description: row.description,
        amount_cents: row.amount_due_cents,
        quantity: 1,
        periodStart: row.period_start,
        periodEnd: row.period_end,
      },
    ],
  };
}
