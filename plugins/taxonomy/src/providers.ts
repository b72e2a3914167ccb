import { createToken, credits, eventPublisher, kernel, provide, providePart } from '@pacioli/core';
import {
  createTaxonomyBlocks,
  evaluateTaxonomy,
  listRulesOfTargets,
  StoredStructureWrites,
  storedLinkedTaxonomies,
  storedStructureParts,
  storedTaxonomyReads,
  type TaxonomyBlocks,
} from './blocks/index.ts';
import { storedChartOfAccounts, storedMappings } from './charts/index.ts';
import { config } from './config.ts';
import { lazyLibraryCatalog, parseFrameworks, readFrameworkFiles, storedLibraryReads } from './library/index.ts';
import { createShippedLibrary, type ShippedLibrary, StoredLibraryViews } from './library-upgrades/index.ts';
import { type AutoMapper, createAutoMapper, createMappingEdits, type MappingEdits } from './mapping/index.ts';
import { MappingAnnouncements } from './mapping-announcements.ts';
import * as tokens from './tokens.ts';

const { blockDependants, chartListeners, elementGuards, entityLinks, library, mappingModels } = tokens;

/** The files behind the catalog and the seeded rows, which must be the same. */
export const shippedLibrary = createToken<ShippedLibrary>('taxonomy.shipped-library');

/** The writers behind the operations and queries of this plugin. */
export interface Authoring {
  readonly blocks: TaxonomyBlocks;
  readonly mappings: MappingEdits;
  readonly autoMapper: AutoMapper;
}

export const authoring = createToken<Authoring>('taxonomy.authoring');

export const providers = [
  providePart(tokens.autoMapper, authoring, (all) => all.autoMapper),
  provide(shippedLibrary, { create: () => createShippedLibrary(readFrameworkFiles) }),
  provide(library, {
    services: { shipped: shippedLibrary },
    create: ({ shipped }) => lazyLibraryCatalog(() => parseFrameworks(shipped.read().files)),
  }),
  providePart(tokens.statementStructures, library, (all) => all.statements),
  provide(tokens.libraryReads, { create: () => storedLibraryReads }),
  provide(tokens.chartOfAccounts, {
    services: { ids: kernel.ids, library, links: entityLinks, events: eventPublisher },
    create: (use) => new MappingAnnouncements(use.events).ofCharts(storedChartOfAccounts(use)),
  }),
  provide(tokens.mappings, { create: () => storedMappings }),
  provide(tokens.linkedTaxonomies, { create: () => storedLinkedTaxonomies }),
  provide(tokens.taxonomyReads, { create: () => storedTaxonomyReads }),
  provide(tokens.taxonomyRules, { create: () => ({ ofTargets: listRulesOfTargets }) }),
  provide(tokens.structuralChecks, {
    services: { library },
    create: (use) => ({ evaluate: (tx, taxonomyId) => evaluateTaxonomy(tx, taxonomyId, use.library) }),
  }),
  provide(tokens.structureParts, { create: () => storedStructureParts }),
  provide(tokens.structureWrites, {
    services: { ids: kernel.ids },
    create: (use) => new StoredStructureWrites(use.ids),
  }),
  provide(tokens.libraryViews, {
    services: { library, guards: elementGuards, graphs: kernel.graphs },
    create: (use) => new StoredLibraryViews(use),
  }),
  provide(authoring, {
    services: {
      ids: kernel.ids,
      graphs: kernel.graphs,
      log: kernel.log,
      credits,
      config: config.token,
      library,
      guards: elementGuards,
      listeners: chartListeners,
      dependants: blockDependants,
      links: entityLinks,
      models: mappingModels,
      events: eventPublisher,
    },
    create: (use): Authoring => {
      const announced = new MappingAnnouncements(use.events);
      const mappings = announced.ofEdits(createMappingEdits(use));
      return {
        blocks: announced.ofBlocks(createTaxonomyBlocks({ ...use, isAuthoringEnabled: use.config.authoringEnabled })),
        mappings,
        autoMapper: createAutoMapper({ ...use, reads: storedTaxonomyReads, edits: mappings }),
      };
    },
  }),
];
