/** Invoices as stored and as shown, and the billing of customers who pay by invoice. */
export { InvoiceBilling } from './invoice-billing.ts';
export { InvoiceReads } from './invoice-reads.ts';
export { invoicesOfOrg, payInvoice, voidLatestInvoice, writeInvoice } from './invoices.ts';
