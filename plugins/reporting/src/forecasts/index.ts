/** Forecasts: scenarios with their assumptions, and the projection of the statements from them. */
export { contributions } from './contributions.ts';
export { ForecastComputer } from './forecast-computer.ts';
export { forecastServices } from './services.ts';
export { walkForecast } from './walk.ts';
