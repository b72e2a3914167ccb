import { createCollection, createToken, type Token } from '@pacioli/core';
import type { DeprovisioningStep, Lifecycle } from './lifecycle/index.ts';
import type { Customers } from './subscriptions/index.ts';

export const customers: Token<Customers> = createToken('billing.customers');
export const lifecycle: Token<Lifecycle> = createToken('billing.lifecycle');

/** Steps that other plugins run before a graph is removed, such as its final backup. */
export const deprovisioningSteps = createCollection<DeprovisioningStep>('billing.deprovisioning-steps');
