import { createToken, type Token } from '@pacioli/core';
import type { Lifecycle } from './lifecycle/index.ts';
import type { Customers } from './subscriptions/index.ts';

/** The customers of the payment provider, and whether an organization can pay. */
export const customers: Token<Customers> = createToken('billing.customers');
/** The renewals, reminders and ends of subscriptions; a host tells it which invoices were paid by bank transfer. */
export const lifecycle: Token<Lifecycle> = createToken('billing.lifecycle');
