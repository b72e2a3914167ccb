export { type DeprovisioningStep, deprovisioningSteps } from './deprovisioning.ts';
export { default as subscriptionChanged } from './events/subscription-changed.ts';
export * from './payment-port.ts';
export { default } from './plugin.ts';
export { customers, lifecycle } from './tokens.ts';
