/** Checkouts, from the request to the paid subscription. */
export { Checkouts } from './checkouts.ts';
export { PaidCheckouts } from './paid-checkouts.ts';
