export { default } from './plugin.ts';
export { type AnalyticalGraph, analyticalGraph, type GraphBuilder, graphBuilder } from './tokens.ts';
