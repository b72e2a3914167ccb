import { kernel, provide, type Transaction } from '@pacioli/core';
import { autoMapProviders } from './auto-map-providers.ts';
import {
  blockDependants,
  chartListeners,
  type EntityLinks,
  elementGuards,
  entityLinks,
  mappingEdits,
  structuralChecks,
  structureParts,
  taxonomyBlocks,
  taxonomyRules,
} from './block-tokens.ts';
import {
  countElements,
  createTaxonomyBlocks,
  evaluateTaxonomy,
  findElementIdsByQname,
  findElementParts,
  findStructureParts,
  listConnectionParts,
  listElements,
  listExtensionConcepts,
  listExtensionTotals,
  listRulesOfTargets,
  listStructureParts,
  listStructures,
  listTaxonomies,
  StoredStructureWrites,
} from './blocks/index.ts';
import {
  accountsOfRows,
  allAccounts,
  chartExists,
  countAccounts,
  createChart,
  findAccounts,
  findAccountsByCode,
  findAccountsByExternalId,
  findBookMappingId,
  findMapping,
  findMappingConcepts,
  listAccounts,
  listAssociations,
  listCoverage,
  listMappings,
  listUnmapped,
  lockAccounts,
  selectAccounts,
} from './charts/index.ts';
import { config } from './config.ts';
import {
  countElementsOf,
  countTaxonomyArcs,
  findShownElement,
  findShownElements,
  findShownStructure,
  findShownTaxonomy,
  lazyLibraryCatalog,
  listEquivalentIds,
  listOwnElementsLike,
  listPeerArcs,
  listShownElements,
  listShownStructures,
  listTaxonomyArcs,
  listTreeArcs,
  parseFrameworks,
  readFrameworkFiles,
} from './library/index.ts';
import { createShippedLibrary, StoredLibraryViews, shippedLibrary } from './library-upgrades/index.ts';
import { libraryViews } from './library-views.ts';
import { createMappingEdits } from './mapping/index.ts';
import { libraryReads, taxonomyReads } from './read-tokens.ts';
import { structureWrites } from './structure-writes.ts';
import { chartOfAccounts, library, mappings, statementStructures } from './tokens.ts';

const maxUnmappedAccounts = 5_000;

async function primaryChartId(tx: Transaction, links: readonly EntityLinks[]): Promise<string | undefined> {
  const linked = await Promise.all(links.map((each) => each.primaryChartId(tx)));
  return linked.find((id) => id !== undefined);
}

export const providers = [
  provide(shippedLibrary, { create: () => createShippedLibrary(readFrameworkFiles) }),
  provide(library, {
    services: { shipped: shippedLibrary },
    create: ({ shipped }) => lazyLibraryCatalog(() => parseFrameworks(shipped.read().files)),
  }),
  provide(statementStructures, { services: { library }, create: (use) => use.library.statements }),
  provide(chartOfAccounts, {
    services: { ids: kernel.ids, library, links: entityLinks },
    create: (use) => ({
      create: (tx, chart) => createChart(tx, chart, use),
      exists: chartExists,
      find: findAccounts,
      selectAccounts,
      accountsOfRows,
      lockAndFindMissing: lockAccounts,
      findByCode: async (tx, codes) => findAccountsByCode(tx, codes, await primaryChartId(tx, use.links)),
      primaryId: (tx) => primaryChartId(tx, use.links),
      findByExternalId: findAccountsByExternalId,
      list: listAccounts,
      all: (tx, options) => allAccounts(tx, options?.includeInactive ?? false),
      count: countAccounts,
    }),
  }),
  provide(mappings, { create: () => ({ concepts: findMappingConcepts, bookMappingId: findBookMappingId }) }),
  provide(taxonomyBlocks, {
    services: {
      ids: kernel.ids,
      library,
      guards: elementGuards,
      listeners: chartListeners,
      dependants: blockDependants,
      links: entityLinks,
      config: config.token,
    },
    create: ({ config: settings, ...use }) =>
      createTaxonomyBlocks({ ...use, isAuthoringEnabled: settings.authoringEnabled }),
  }),
  provide(taxonomyRules, {
    create: () => ({
      ofTargets: listRulesOfTargets,
    }),
  }),
  provide(structuralChecks, {
    services: { library },
    create: (use) => ({ evaluate: (tx, taxonomyId) => evaluateTaxonomy(tx, taxonomyId, use.library) }),
  }),
  provide(mappingEdits, {
    services: { ids: kernel.ids, library, guards: elementGuards, dependants: blockDependants },
    create: createMappingEdits,
  }),
  provide(structureWrites, { services: { ids: kernel.ids }, create: (use) => new StoredStructureWrites(use.ids) }),
  provide(libraryViews, {
    services: { library, guards: elementGuards, graphs: kernel.graphs },
    create: (use) => new StoredLibraryViews(use),
  }),
  provide(libraryReads, {
    create: () => ({
      element: findShownElement,
      elements: findShownElements,
      list: listShownElements,
      ownLike: listOwnElementsLike,
      taxonomy: findShownTaxonomy,
      elementCount: countElementsOf,
      taxonomyArcs: listTaxonomyArcs,
      taxonomyArcCount: countTaxonomyArcs,
      peerArcs: listPeerArcs,
      equivalentIds: listEquivalentIds,
      treeArcs: listTreeArcs,
      structures: listShownStructures,
      structure: findShownStructure,
    }),
  }),
  provide(structureParts, {
    create: () => ({
      find: findStructureParts,
      list: listStructureParts,
      connections: listConnectionParts,
      elements: findElementParts,
      elementIdsByQname: findElementIdsByQname,
    }),
  }),
  provide(taxonomyReads, {
    create: () => ({
      mappings: listMappings,
      mapping: findMapping,
      associations: listAssociations,
      coverage: listCoverage,
      unmapped: (tx, mappingId) => listUnmapped(tx, mappingId, maxUnmappedAccounts),
      taxonomies: listTaxonomies,
      structures: listStructures,
      elements: listElements,
      elementCounts: countElements,
      extensionConcepts: listExtensionConcepts,
      extensionTotals: listExtensionTotals,
    }),
  }),
  ...autoMapProviders,
];
