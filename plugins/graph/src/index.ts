export { queryErrors } from './cypher/index.ts';
export { default as graphMaterialized } from './events/materialized.ts';
export type { BuildRequest, BuildResult } from './generations/index.ts';
export { default } from './plugin.ts';
export { type AnalyticalGraph, analyticalGraph, type GraphBuilder, graphBuilder } from './tokens.ts';
