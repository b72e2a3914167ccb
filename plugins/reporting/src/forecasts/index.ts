/** Forecasts: scenarios with their assumptions, and the projection of the statements from them. */
export { walkForecast } from './walk.ts';
