/** Dates and trees: exact calculations without a database. */
export { type Arrangement, arrangementsOf, childrenIn } from './children.ts';
export { dayBefore, daysIn, forecastLabel } from './dates.ts';
