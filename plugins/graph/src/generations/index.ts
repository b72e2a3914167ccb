/** The generations of a graph: the active one, which serves reads, and the one that a build makes. */
export type { BuildRequest, BuildResult } from './build.ts';
export { buildErrors } from './build-failure.ts';
export {
  activate,
  activeGeneration,
  type BuildInProgress,
  builderOf,
  buildsInProgress,
  releaseBuild,
  restorePrefix,
  startBuild,
} from './generations.ts';
export { loadTable } from './load-table.ts';
export { createBuilder } from './stored-builder.ts';
export { createAnalyticalGraph } from './stored-graph.ts';
