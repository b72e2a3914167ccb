import type { BalanceType, FrameworkElement, FrameworkStructure, Frameworks, PeriodType } from '../vocabulary/index.ts';
import { driverCatalog, driverHeading } from './driver-catalog.ts';
import { driverPrefix, facPrefix, gaapPrefix, metricPrefix, roleBase } from './framework.ts';
import { identityArcs, isPublishedSum } from './identity-arcs.ts';
import { libraryId } from './library-ids.ts';
import { type LibraryRuleRow, libraryRules } from './library-rules.ts';
import {
  bridgeStandard,
  bridgeTaxonomyId,
  driverTaxonomyId,
  facTaxonomyId,
  gaapTaxonomyId,
  type LibraryTaxonomyRow,
  libraryTaxonomies,
  metricTaxonomyId,
} from './library-taxonomies.ts';
import { metricCatalog, metricHeading } from './metric-catalog.ts';

export interface LibraryElementRow {
  readonly id: string;
  readonly taxonomyId: string;
  readonly qname: string;
  readonly name: string;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly activityType: string | null;
  readonly balanceType: BalanceType | null;
  readonly periodType: PeriodType;
  readonly elementType: 'concept' | 'abstract';
  readonly itemType: string | null;
  readonly isAbstract: boolean;
  readonly isMonetary: boolean;
  readonly source: string;
  /** False for a name that is not in the public taxonomy and has no `us-gaap:` alias (taxonomy LB-20). */
  readonly hasPublicName: boolean;
}

export interface LibraryStructureRow {
  readonly id: string;
  readonly taxonomyId: string;
  readonly key: string;
  readonly name: string;
  readonly blockType: string;
  readonly conceptArrangement: string | null;
  readonly roleUri: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface LibraryAssociationRow {
  readonly id: string;
  readonly structureId: string;
  readonly fromElementId: string;
  readonly toElementId: string;
  readonly associationType: 'presentation' | 'calculation' | 'equivalence' | 'derivation';
  readonly arcrole: string | null;
  readonly orderValue: number;
  readonly weight: number | null;
}

/** A concept that is no longer shipped, with its replacement (taxonomy LB-5). */
export interface RetiredConceptRow {
  readonly id: string;
  readonly qname: string;
  readonly replacedById: string;
  readonly replacedBy: string;
}

/** All shipped rows with their final ids (taxonomy LB-4). */
export interface LibraryRows {
  readonly taxonomies: readonly LibraryTaxonomyRow[];
  readonly elements: readonly LibraryElementRow[];
  readonly structures: readonly LibraryStructureRow[];
  readonly associations: readonly LibraryAssociationRow[];
  readonly rules: readonly LibraryRuleRow[];
  readonly retired: readonly RetiredConceptRow[];
}

const arcroles = {
  presentation: 'http://www.xbrl.org/2003/arcrole/parent-child',
  calculation: 'http://www.xbrl.org/2003/arcrole/summation-item',
  equivalence: 'urn:pacioli:arcrole/class-equivalentClass',
  derivation: 'urn:pacioli:arcrole/derivation',
} as const;

/** The arcrole of the library for an arc type (taxonomy 1.5); null for types without one. */
export function arcroleOf(associationType: string): string | null {
  const known: Readonly<Record<string, string>> = {
    ...arcroles,
    'general-special': 'http://www.xbrl.org/2003/arcrole/general-special',
    'essence-alias': 'http://www.xbrl.org/2003/arcrole/essence-alias',
  };
  return known[associationType] ?? null;
}

/**
 * The id of a library element by qname. It does not include the version, so that mappings survive an upgrade (LB-4).
 */
export function libraryElementId(qname: string): string {
  return libraryId('element', `${namespaceOf(qname)}#${qname}`);
}

/** The id of an arc of the library (taxonomy LB-4). */
export function libraryAssociationId(arc: {
  readonly structureId: string;
  readonly fromElementId: string;
  readonly toElementId: string;
  readonly associationType: string;
}): string {
  return libraryId('association', `${arc.structureId}:${arc.fromElementId}:${arc.toElementId}:${arc.associationType}`);
}

/** The namespace of a qname of the library. */
export function namespaceOf(qname: string): string {
  return `${roleBase}/${qname.slice(0, qname.indexOf(':'))}`;
}

/** Flattens the frameworks into rows with deterministic ids. */
export function libraryRows(frameworks: Frameworks): LibraryRows {
  const { fac, gaap } = frameworks;
  const structures = [
    ...gaap.structures.map(statementStructure),
    ...gaap.styles.map((style) =>
      specialStructure(gaapTaxonomyId, style.code, style.name, 'reporting_style', { ...style }),
    ),
    specialStructure(gaapTaxonomyId, 'balance-sheet-to-cash-flow', 'Balance Sheet to Cash Flow', 'custom', {}),
    ...fac.identities
      .filter(isPublishedSum)
      .map(({ id, left }) => specialStructure(facTaxonomyId, id, `${id}: ${left}`, 'validation_rules', {})),
    specialStructure(metricTaxonomyId, metricCatalog.key, metricCatalog.name, 'metric', {}),
    specialStructure(driverTaxonomyId, driverCatalog.key, driverCatalog.name, 'custom', {}),
    specialStructure(bridgeTaxonomyId, bridgeStandard, 'Fundamental Concepts to US GAAP', 'taxonomy_mapping', {}),
  ];
  const idOf = new Map(structures.map(({ key, id }) => [key, id]));
  const structureId = (key: string) => {
    const id = idOf.get(key);
    if (id === undefined) throw new Error(`The structure ${key} is not defined.`);
    return id;
  };
  const arc = associationMaker(structureId);
  const taxonomyIds = { gaapTaxonomyId, facTaxonomyId, metricTaxonomyId, driverTaxonomyId };
  const ruleIds = { ...taxonomyIds, elementId: libraryElementId, structureId };
  return {
    taxonomies: libraryTaxonomies(),
    elements: [
      ...fac.elements.map((element) => libraryElement(element, facTaxonomyId, facPrefix)),
      ...gaap.elements.map((element) => libraryElement(element, gaapTaxonomyId, gaapPrefix)),
      ...[metricHeading, ...gaap.metrics.map(({ element }) => element)].map((element) =>
        libraryElement(element, metricTaxonomyId, metricPrefix),
      ),
      ...[driverHeading, ...gaap.drivers.map(({ element }) => element)].map((element) =>
        libraryElement(element, driverTaxonomyId, driverPrefix),
      ),
    ],
    structures,
    associations: [
      ...gaap.presentation.map((row) => arc('presentation', row.structure, row.parent, row.child, row.order, null)),
      ...gaap.calculation.map((row) => arc('calculation', row.structure, row.total, row.item, row.order, row.weight)),
      // Roll-forward structures add changes to a balance: the same arc type, exempt from the side rule (LB-3).
      ...gaap.rollForward.map((row) =>
        arc('calculation', row.structure, row.balanceConcept, row.changeConcept, row.order, row.sign),
      ),
      ...gaap.cashFlowDerivation.map((row, index) =>
        arc(
          'derivation',
          'balance-sheet-to-cash-flow',
          row.balanceSheetConcept,
          row.cashFlowConcept,
          index,
          row.weight,
        ),
      ),
      ...identityArcs(fac).map((row) => arc('calculation', row.identity, row.total, row.item, row.order, row.weight)),
      ...gaap.metrics.map(({ element }, index) =>
        arc('presentation', metricCatalog.key, metricHeading.qname, element.qname, index + 1, null),
      ),
      ...gaap.drivers.map(({ element }, index) =>
        arc('presentation', driverCatalog.key, driverHeading.qname, element.qname, index + 1, null),
      ),
      ...gaap.crosswalk.map((row) => arc('equivalence', bridgeStandard, row.fac, row.usGaap, row.priority, null)),
    ],
    rules: libraryRules(frameworks, ruleIds),
    retired: gaap.retired.map(({ qname, replacedBy }) => ({
      id: libraryElementId(qname),
      qname,
      replacedById: libraryElementId(replacedBy),
      replacedBy,
    })),
  };
}

function libraryElement(element: FrameworkElement, taxonomyId: string, source: string): LibraryElementRow {
  return {
    id: libraryElementId(element.qname),
    taxonomyId,
    qname: element.qname,
    name: element.label,
    trait: element.trait,
    liquidity: element.liquidity,
    activityType: element.activity,
    balanceType: element.balance,
    periodType: element.period,
    elementType: element.isAbstract ? 'abstract' : 'concept',
    itemType: element.itemType,
    isAbstract: element.isAbstract,
    isMonetary: element.isMonetary,
    source,
    hasPublicName: source === gaapPrefix && !element.isExtension,
  };
}

function statementStructure(structure: FrameworkStructure): LibraryStructureRow {
  return {
    id: libraryId('structure', structure.roleUri),
    taxonomyId: gaapTaxonomyId,
    key: structure.key,
    name: structure.name,
    blockType: structure.blockType,
    conceptArrangement: structure.conceptArrangement,
    roleUri: structure.roleUri,
    metadata: { role_uri: structure.roleUri },
  };
}

function specialStructure(
  taxonomyId: string,
  key: string,
  name: string,
  blockType: string,
  metadata: Readonly<Record<string, unknown>>,
): LibraryStructureRow {
  const roleUri = `${roleBase}/role/${blockType}/${key}`;
  return {
    id: libraryId('structure', roleUri),
    taxonomyId,
    key,
    name,
    blockType,
    conceptArrangement: null,
    roleUri,
    metadata: { ...metadata, role_uri: roleUri },
  };
}

function associationMaker(structureIdOf: (key: string) => string) {
  return (
    associationType: keyof typeof arcroles,
    structureKey: string,
    from: string,
    to: string,
    orderValue: number,
    weight: number | null,
  ): LibraryAssociationRow => {
    const structureId = structureIdOf(structureKey);
    const [fromElementId, toElementId] = [libraryElementId(from), libraryElementId(to)];
    return {
      id: libraryAssociationId({ structureId, fromElementId, toElementId, associationType }),
      structureId,
      fromElementId,
      toElementId,
      associationType,
      arcrole: arcroles[associationType],
      orderValue,
      weight,
    };
  };
}
