import {
  contribute,
  credits,
  eventPublisher,
  graphAccess,
  graphAdmission,
  kernel,
  kernelSettings,
  memberDepartures,
  offeredRepositories,
  operationRuns,
  orgDirectory,
  planBilling,
  provide,
  provisioningGates,
  securityAudit,
  verifiedUsers,
} from '@pacioli/core';
import { Checkouts, PaidCheckouts } from './checkout/index.ts';
import { config } from './config.ts';
import { InvoiceReads } from './invoices/index.ts';
import { deprovisioningSteps, Lifecycle, Webhooks } from './lifecycle/index.ts';
import { LocalCharges } from './local/local-charges.ts';
import { LocalPayments } from './local/local-payments.ts';
import { LocalWebhooks } from './local/local-webhooks.ts';
import { type PaymentPort, paymentPort } from './payments/index.ts';
import {
  Cancellations,
  Customers,
  Departures,
  GraphSubscriptions,
  Plans,
  RepositoryGrants,
  RepositorySubscriptions,
  SubscriptionReads,
  SubscriptionWorkflow,
  TierChanges,
} from './subscriptions/index.ts';
import * as tokens from './tokens.ts';

const stored = { store: kernel.store, clock: kernel.clock, ids: kernel.ids };
const workflow = tokens.subscriptionWorkflow;
const { customers, plans, cancellations, graphSubscriptions, repositorySubscriptions } = tokens;
const grants = tokens.repositoryGrants;
const settings = kernelSettings;

/** The embedded provider; a host with another provider overrides `paymentPort`. */
const localProviders = [
  provide(tokens.localWebhooks, {
    services: { clock: kernel.clock, ids: kernel.ids, events: eventPublisher },
    create: (use) => new LocalWebhooks(use),
  }),
  provide(tokens.localCharges, {
    services: { ...stored, log: kernel.log, webhooks: tokens.localWebhooks },
    create: (use) => new LocalCharges(use),
  }),
  provide(paymentPort, {
    services: { ...stored, settings, webhooks: tokens.localWebhooks },
    create: (use): PaymentPort => new LocalPayments({ ...use, publicUrl: use.settings.publicUrl }),
  }),
];

export const providers = [
  ...localProviders,
  provide(workflow, {
    services: {
      ...stored,
      graphs: kernel.graphs,
      admission: graphAdmission,
      access: graphAccess,
      events: eventPublisher,
    },
    create: (use) => new SubscriptionWorkflow(use),
  }),
  provide(plans, {
    services: { repositories: offeredRepositories },
    create: ({ repositories }) => new Plans(repositories),
  }),
  provide(customers, {
    services: { workflow, port: paymentPort, config: config.token, members: orgDirectory },
    create: (use) => new Customers(use),
  }),
  provide(grants, {
    services: { workflow, plans, credits },
    create: (use) => new RepositoryGrants({ ...use, now: () => use.workflow.now() }),
  }),
  provide(graphSubscriptions, {
    services: {
      workflow,
      customers,
      plans,
      port: paymentPort,
      config: config.token,
      graphs: kernel.graphs,
      grants,
    },
    create: (use) => new GraphSubscriptions(use),
  }),
  provide(cancellations, {
    services: { workflow, port: paymentPort, ids: kernel.ids, grants },
    create: (use) => new Cancellations(use),
  }),
  provide(repositorySubscriptions, {
    services: {
      workflow,
      customers,
      plans,
      port: paymentPort,
      ids: kernel.ids,
      config: config.token,
      verifiedUsers,
      members: orgDirectory,
      graphs: kernel.graphs,
      charges: graphSubscriptions,
      cancellations,
      grants,
    },
    create: (use) => new RepositorySubscriptions(use),
  }),
  provide(tokens.checkouts, {
    services: {
      workflow,
      customers,
      plans,
      port: paymentPort,
      settings,
      config: config.token,
      verifiedUsers,
      admission: graphAdmission,
      graphs: graphSubscriptions,
    },
    create: (use) => new Checkouts(use),
  }),
  provide(tokens.paidCheckouts, {
    services: {
      workflow,
      customers,
      port: paymentPort,
      operations: operationRuns,
      graphs: graphSubscriptions,
      grants,
    },
    create: (use) => new PaidCheckouts(use),
  }),
  provide(tokens.webhooks, {
    services: {
      workflow,
      customers,
      port: paymentPort,
      events: eventPublisher,
      security: securityAudit,
      checkouts: tokens.paidCheckouts,
      graphs: graphSubscriptions,
      log: kernel.log,
    },
    create: (use) => new Webhooks(use),
  }),
  provide(tokens.lifecycle, {
    services: {
      workflow,
      customers,
      plans,
      graphs: kernel.graphs,
      ids: kernel.ids,
      config: config.token,
      operations: operationRuns,
      cancellations,
      grants,
      checkouts: tokens.paidCheckouts,
      subscriptions: graphSubscriptions,
      steps: deprovisioningSteps,
      log: kernel.log,
    },
    create: (use) => new Lifecycle(use),
  }),
  provide(tokens.tierChanges, {
    services: {
      workflow,
      plans,
      port: paymentPort,
      graphs: kernel.graphs,
      credits,
      subscriptions: graphSubscriptions,
      operations: operationRuns,
      log: kernel.log,
    },
    create: (use) => new TierChanges(use),
  }),
  provide(tokens.subscriptionReads, {
    services: {
      workflow,
      plans,
      graphs: kernel.graphs,
      subscriptions: graphSubscriptions,
      repositories: repositorySubscriptions,
    },
    create: (use) => new SubscriptionReads(use),
  }),
  provide(tokens.invoiceReads, {
    services: { workflow, customers, port: paymentPort, settings, config: config.token },
    create: (use) => new InvoiceReads(use),
  }),
];

export const contributions = [
  contribute(planBilling, 'billing', {
    services: { config: config.token },
    create: (use) => ({ isOn: use.config.enabled }),
  }),
  contribute(provisioningGates, 'billing', {
    services: { customers },
    create: (use) => ({ canProvision: (tx, orgId) => use.customers.canPay(tx, orgId) }),
  }),
  contribute(memberDepartures, 'billing', {
    services: { cancellations },
    create: (use) => new Departures(use.cancellations),
  }),
];
