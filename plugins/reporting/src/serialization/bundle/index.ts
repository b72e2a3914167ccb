/** A report as plain data, from which every format is written. */
export { labelInRole, type PreferredLabel } from '../../statement-facts/index.ts';
export {
  type ArcKind,
  type BundleArc,
  type BundleColumn,
  type BundleConcept,
  type BundleFact,
  type BundleFactSet,
  type BundleForecast,
  type BundleFramework,
  type BundleMember,
  type BundlePeriod,
  type BundleReport,
  type BundleResult,
  type BundleRule,
  type BundleStructure,
  compareText,
  periodKey,
  type ReportBundle,
  reportIri,
} from './bundle.ts';
export { decimalOf, decimalUnits, scaleOf } from './decimals.ts';
export { factsByStructure } from './facts-by-structure.ts';
export { fileStem } from './file-stem.ts';
export { forecastNote, type NotePart, withForecast } from './forecast-columns.ts';
export { readBundle, readMonths } from './read-bundle.ts';
export { encodedParts, indentedJson, largeParts } from './text-parts.ts';
