/** Holdings: the positions of a portfolio by issuer. */
export { rollupOf, securityOf } from './rollup.ts';
