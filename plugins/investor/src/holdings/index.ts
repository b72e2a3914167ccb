/** Holdings: the positions of a portfolio by issuer. */
export { rollupOf } from './rollup.ts';
