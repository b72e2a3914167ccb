/** Subscriptions of graphs and repositories: states, plans, customers, changes and cancellations. */

export { theProvider, theSystem } from './billing-audit.ts';
export { Cancellations } from './cancellations.ts';
export { type Customer, Customers } from './customers.ts';
export { emailIsUnverified, planIsUnknown, providerFails, subscriptionExists } from './declared-errors.ts';
export { GraphEndings } from './graph-endings.ts';
export { GraphSubscriptions } from './graph-subscriptions.ts';
export { Departures } from './member-departures.ts';
export { currency, type Plan, Plans, priceKey } from './plans.ts';
export {
  alreadySubscribed,
  atProvider,
  refused,
  requireMember,
  requireOwner,
  requireOwnerOrAdmin,
} from './refusals.ts';
export { RepositoryGrants } from './repository-grants.ts';
export { RepositorySubscriptions } from './repository-subscriptions.ts';
export { SubscriptionReads } from './subscription-reads.ts';
export {
  lockGraphBilling,
  lockSubscription,
  type Subscription,
  subscriptionOfGraph,
  subscriptionOfProvider,
  subscriptionOfSession,
  subscriptionOfUser,
  subscriptionsWhere,
} from './subscription-rows.ts';
export {
  beginningAt,
  daysAfter,
  isLive,
  nextPeriod,
  type Period,
  periodFrom,
  type SubscriptionEvent,
} from './subscription-state.ts';
export { SubscriptionWorkflow } from './subscription-workflow.ts';
export { TierChanges } from './tier-changes.ts';
