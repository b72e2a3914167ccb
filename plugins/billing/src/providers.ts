import {
  contribute,
  createToken,
  credits,
  eventPublisher,
  graphAccess,
  graphAdmission,
  graphRemovals,
  kernel,
  kernelSettings,
  memberDepartures,
  offeredRepositories,
  operationRuns,
  orgDirectory,
  planBilling,
  provide,
  providePart,
  provisioningGates,
  securityAudit,
  serviceUrl,
  subscriptionEndings,
  type Token,
  verifiedUsers,
} from '@pacioli/core';
import { Checkouts, PaidCheckouts } from './checkout/index.ts';
import { config } from './config.ts';
import { InvoiceBilling, InvoiceReads } from './invoices/index.ts';
import { Lifecycle, Webhooks } from './lifecycle/index.ts';
import { LocalCharges, LocalPayments, LocalWebhooks } from './local/index.ts';
import { type PaymentPort, paymentPort } from './payments/index.ts';
import {
  Cancellations,
  Customers,
  Departures,
  GraphEndings,
  GraphSubscriptions,
  Plans,
  RepositoryGrants,
  RepositorySubscriptions,
  SubscriptionReads,
  SubscriptionWorkflow,
  TierChanges,
} from './subscriptions/index.ts';
import { customers, lifecycle } from './tokens.ts';

/** The embedded payment provider, which runs its jobs and pages beside the port. */
interface LocalProvider {
  readonly webhooks: LocalWebhooks;
  readonly charges: LocalCharges;
}

/** The services that contributions use, apart from `Billing`, so that they can use the customers. */
interface Subscriptions {
  readonly workflow: SubscriptionWorkflow;
  readonly plans: Plans;
  readonly customers: Customers;
  readonly grants: RepositoryGrants;
  readonly cancellations: Cancellations;
}

/** The services behind the routes, jobs and operations of this plugin. */
interface Billing {
  readonly cancellations: Cancellations;
  readonly graphSubscriptions: GraphSubscriptions;
  readonly repositorySubscriptions: RepositorySubscriptions;
  readonly subscriptionReads: SubscriptionReads;
  readonly tierChanges: TierChanges;
  readonly checkouts: Checkouts;
  readonly invoiceReads: InvoiceReads;
  readonly webhooks: Webhooks;
  readonly lifecycle: Lifecycle;
}

export const localProvider: Token<LocalProvider> = createToken('billing.local-provider');
const subscriptions: Token<Subscriptions> = createToken('billing.subscriptions');
export const billing: Token<Billing> = createToken('billing.billing');

const stored = { store: kernel.store, clock: kernel.clock, ids: kernel.ids };

export const providers = [
  provide(localProvider, {
    services: { ...stored, log: kernel.log, events: eventPublisher },
    create: (use): LocalProvider => {
      const webhooks = new LocalWebhooks(use);
      return { webhooks, charges: new LocalCharges({ ...use, webhooks }) };
    },
  }),
  // A host with another provider overrides the port.
  provide(paymentPort, {
    services: { ...stored, settings: kernelSettings, local: localProvider },
    create: ({ local, settings, ...use }): PaymentPort =>
      new LocalPayments({ ...use, webhooks: local.webhooks, serviceUrl: serviceUrl(settings) }),
  }),
  provide(subscriptions, {
    services: {
      ...stored,
      graphs: kernel.graphs,
      admission: graphAdmission,
      access: graphAccess,
      events: eventPublisher,
      repositories: offeredRepositories,
      members: orgDirectory,
      credits,
      port: paymentPort,
      config: config.token,
    },
    create: (use): Subscriptions => {
      const workflow = new SubscriptionWorkflow(use);
      const plans = new Plans(use.repositories);
      const grants = new RepositoryGrants({ plans, credits: use.credits, now: () => workflow.now() });
      return {
        workflow,
        plans,
        customers: new Customers({ ...use, workflow }),
        grants,
        cancellations: new Cancellations({ ...use, workflow, grants }),
      };
    },
  }),
  providePart(customers, subscriptions, (all) => all.customers),
  provide(billing, {
    services: {
      subscriptions,
      ids: kernel.ids,
      graphs: kernel.graphs,
      log: kernel.log,
      settings: kernelSettings,
      config: config.token,
      port: paymentPort,
      admission: graphAdmission,
      credits,
      events: eventPublisher,
      members: orgDirectory,
      operations: operationRuns,
      security: securityAudit,
      removals: graphRemovals,
      verifiedUsers,
    },
    create: ({ subscriptions: base, ...kernelServices }): Billing => {
      const use = { ...kernelServices, ...base };
      const graphSubscriptions = new GraphSubscriptions(use);
      const repositorySubscriptions = new RepositorySubscriptions({ ...use, charges: graphSubscriptions });
      const paidCheckouts = new PaidCheckouts({ ...use, graphs: graphSubscriptions });
      const invoiceBilling = new InvoiceBilling(use);
      return {
        cancellations: use.cancellations,
        graphSubscriptions,
        repositorySubscriptions,
        subscriptionReads: new SubscriptionReads({
          ...use,
          subscriptions: graphSubscriptions,
          repositories: repositorySubscriptions,
        }),
        tierChanges: new TierChanges({ ...use, subscriptions: graphSubscriptions }),
        checkouts: new Checkouts({ ...use, graphs: graphSubscriptions }),
        invoiceReads: new InvoiceReads(use),
        webhooks: new Webhooks({ ...use, graphs: graphSubscriptions, checkouts: paidCheckouts }),
        lifecycle: new Lifecycle({
          ...use,
          subscriptions: graphSubscriptions,
          checkouts: paidCheckouts,
          invoiceBilling,
        }),
      };
    },
  }),
  providePart(lifecycle, billing, (all) => all.lifecycle),
];

export const contributions = [
  contribute(planBilling, 'billing', {
    services: { config: config.token },
    create: (use) => ({ isOn: use.config.enabled }),
  }),
  contribute(provisioningGates, 'billing', {
    services: { subscriptions },
    create: (use) => ({ canProvision: (tx, orgId) => use.subscriptions.customers.canPay(tx, orgId) }),
  }),
  contribute(memberDepartures, 'billing', {
    services: { subscriptions },
    create: (use) => new Departures(use.subscriptions.cancellations),
  }),
  contribute(subscriptionEndings, 'billing', {
    services: { billing, base: subscriptions, graphs: kernel.graphs },
    create: ({ billing: { graphSubscriptions }, base, graphs }) =>
      new GraphEndings({ ...base, subscriptions: graphSubscriptions, graphs }),
  }),
];
