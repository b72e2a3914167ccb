/** Holdings: the positions of a portfolio by issuer. */
export { type Rollup, rollupOf } from './rollup.ts';
