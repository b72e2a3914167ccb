/** Invoices as stored and as shown. */
export { InvoiceReads } from './invoice-reads.ts';
export { invoicesOfOrg, payInvoice, voidLatestInvoice, writeInvoice } from './invoices.ts';
