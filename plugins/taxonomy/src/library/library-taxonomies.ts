import { driverCatalog } from './driver-catalog.ts';
import { driverPrefix, facPrefix, gaapPrefix, metricPrefix, roleBase } from './framework.ts';
import { libraryId } from './library-ids.ts';
import { metricCatalog } from './metric-catalog.ts';

export interface LibraryTaxonomyRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly taxonomyType: string;
  readonly standard: string;
  readonly version: string;
  readonly namespaceUri: string;
  readonly sourceTaxonomyId: string | null;
  readonly targetTaxonomyId: string | null;
  /** Packages that tenants do not see in lists (taxonomy LB-9). */
  readonly isTenantVisible: boolean;
}

export const gaapTaxonomyId = libraryId('taxonomy', `${gaapPrefix}:v1`);
export const facTaxonomyId = libraryId('taxonomy', `${facPrefix}:v1`);
export const metricTaxonomyId = libraryId('taxonomy', `${metricPrefix}:v1`);
export const driverTaxonomyId = libraryId('taxonomy', `${driverPrefix}:v1`);
export const bridgeStandard = `${facPrefix}-to-${gaapPrefix}`;
export const bridgeTaxonomyId = libraryId('taxonomy', `${bridgeStandard}:v1`);

/** The shipped taxonomies. */
export function libraryTaxonomies(): readonly LibraryTaxonomyRow[] {
  const shared = { version: 'v1', sourceTaxonomyId: null, targetTaxonomyId: null };
  return [
    {
      ...shared,
      id: facTaxonomyId,
      name: 'Fundamental Accounting Concepts',
      description: 'Framework-neutral concepts with the equations that hold between them.',
      taxonomyType: 'reporting_standard',
      standard: facPrefix,
      namespaceUri: `${roleBase}/${facPrefix}`,
      isTenantVisible: false,
    },
    {
      ...shared,
      id: gaapTaxonomyId,
      name: 'US GAAP, curated',
      description: 'A selection of US GAAP concepts with statement and disclosure networks.',
      taxonomyType: 'reporting_standard',
      standard: gaapPrefix,
      namespaceUri: `${roleBase}/${gaapPrefix}`,
      isTenantVisible: true,
    },
    {
      ...shared,
      id: metricTaxonomyId,
      name: metricCatalog.name,
      description: 'Ratios and other figures with the formulas that compute them from the statements.',
      taxonomyType: 'reporting_standard',
      standard: metricPrefix,
      namespaceUri: `${roleBase}/${metricPrefix}`,
      isTenantVisible: true,
    },
    {
      ...shared,
      id: driverTaxonomyId,
      name: driverCatalog.name,
      description: 'Assumptions of forecasts with the formulas that project lines of the statements from them.',
      taxonomyType: 'reporting_standard',
      standard: driverPrefix,
      namespaceUri: `${roleBase}/${driverPrefix}`,
      isTenantVisible: true,
    },
    {
      ...shared,
      id: bridgeTaxonomyId,
      name: 'Fundamental Concepts to US GAAP',
      description: 'Which US GAAP concepts stand for a fundamental concept, best first.',
      taxonomyType: 'mapping',
      standard: bridgeStandard,
      namespaceUri: `${roleBase}/${bridgeStandard}`,
      sourceTaxonomyId: facTaxonomyId,
      targetTaxonomyId: gaapTaxonomyId,
      isTenantVisible: false,
    },
  ];
}
