export { default } from './plugin.ts';
export type {
  BundleArc,
  BundleColumn,
  BundleConcept,
  BundleFact,
  BundleFactSet,
  BundleForecast,
  BundleMember,
  BundlePeriod,
  BundleResult,
  BundleRule,
  BundleStructure,
  ReportBundle,
} from './serialization/bundle/index.ts';
export { type ReportSerializer, reportSerializers } from './serialization/downloads/index.ts';
