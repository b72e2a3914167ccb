/** Entries that a provider delivers, and what differs from the books. */
export { Deliveries } from './deliveries.ts';
export { Reconciler } from './reconciler.ts';
export type { Booking, Delivered, Delivery, Reconciliation } from './reconciliation.ts';
export { type ReconcilingPlan, ReconcilingPlanner } from './reconciling-planner.ts';
export { ReconcilingRows, reconcilingGate } from './reconciling-rows.ts';
