/** Holdings: the positions of a portfolio by issuer. */
export { rollupOf, securitiesOf } from './rollup.ts';
