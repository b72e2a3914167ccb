import type { BilledInvoice, InvoiceLine, InvoiceStatus, UpcomingCharge } from '@pacioli/billing';
import type Stripe from 'stripe';
import { subscriptionOf } from './webhook.ts';

const statuses: readonly InvoiceStatus[] = ['draft', 'open', 'paid', 'void', 'uncollectible'];

function instant(seconds: number | null | undefined): Date | null {
  return seconds == null ? null : new Date(seconds * 1000);
}

function lineOf(line: Stripe.InvoiceLineItem): InvoiceLine {
  return {
    description: line.description ?? '',
    amount_cents: line.amount,
    quantity: line.quantity ?? 1,
    periodStart: instant(line.period.start),
    periodEnd: instant(line.period.end),
  };
}

/** Converts an invoice of Stripe to the port's type; amounts are minor units on both sides. */
export function billOf(invoice: Stripe.Invoice): BilledInvoice {
  return {
    id: invoice.id,
    number: invoice.number,
    status: statuses.find((status) => status === invoice.status) ?? 'draft',
    amountDueCents: invoice.amount_due,
    amountPaidCents: invoice.amount_paid,
    currency: invoice.currency,
    createdAt: new Date(invoice.created * 1000),
    dueAt: instant(invoice.due_date),
    paidAt: instant(invoice.status_transitions.paid_at),
    pdfUrl: invoice.invoice_pdf ?? null,
    hostedUrl: invoice.hosted_invoice_url ?? null,
    subscription: subscriptionOf(invoice) ?? null,
    lines: invoice.lines.data.map(lineOf),
  };
}

/** The preview of the next invoice. */
export function upcomingOf(invoice: Stripe.Invoice): UpcomingCharge {
  const lines = invoice.lines.data.map(lineOf);
  // The invoice's own period is the past one; the charged period is that of its last line.
  const next = lines.at(-1);
  return {
    amountDueCents: invoice.amount_due,
    currency: invoice.currency,
    periodStart: next?.periodStart ?? new Date(invoice.period_start * 1000),
    periodEnd: next?.periodEnd ?? new Date(invoice.period_end * 1000),
    subscription: subscriptionOf(invoice) ?? null,
    lines,
  };
}
