/** The canonical statements of closed months. */
export { contributions } from './contributions.ts';
