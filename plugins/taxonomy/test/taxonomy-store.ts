import type { Ids, Store, Transaction } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import type { BlockWork } from '../src/blocks/block-work.ts';
import { createTaxonomyBlocks } from '../src/blocks/taxonomy-blocks.ts';
import type { BlockDependant, ElementGuard, EntityLinks, MonthSpan, NewChart } from '../src/index.ts';
import taxonomy from '../src/index.ts';
import { readFrameworkFiles, readShippedFrameworks } from '../src/library/framework-files.ts';
import type { LibraryRows } from '../src/library/library.ts';
import { createLibraryCatalog } from '../src/library/library-catalog.ts';
import { StoredLibraryViews } from '../src/library-upgrades/library-views.ts';
import { libraryHash, type SeedOutcome, seedLibrary } from '../src/library-upgrades/seed-library.ts';
import { createMappingEdits } from '../src/mapping/mapping-edits.ts';

export const library = createLibraryCatalog(readShippedFrameworks());
export const now = new Date('2026-01-31T12:00:00Z');

export const smallChart: NewChart = {
  name: 'Chart of Accounts',
  createdBy: 'user_1',
  now,
  mapping: { suggestedBy: 'template' },
  accounts: [
    {
      code: '1000',
      name: 'Cash',
      trait: 'asset',
      subClassification: 'cash',
      concept: 'CashAndCashEquivalentsAtCarryingValue',
    },
    { code: '900', name: 'Petty cash', trait: 'asset', concept: 'CashAndCashEquivalentsAtCarryingValue' },
    { code: '3000', name: 'Common stock', trait: 'equity', concept: 'CommonStockValue' },
    { code: '4000', name: 'Sales', trait: 'revenue', concept: 'NoSuchConcept' },
    { code: '6000', name: 'Rent', trait: 'expense' },
  ],
};

/** Answers of the owners of lines, facts and links; a test sets them. */
export interface History {
  used: readonly string[];
  /** Structures that a plugin keeps as blocks. */
  usedStructures: readonly string[];
  months: MonthSpan | undefined;
  /** Elements with one fact each; deleting facts removes them from the list. */
  facts: readonly string[];
  protectedSets: MonthSpan | undefined;
  readonly unlinked: string[];
  readonly resultsRemoved: string[];
  isAuthoringEnabled: boolean;
}

/** The part of a release that a start compares and writes. */
export interface Release {
  readonly rows: LibraryRows;
  readonly hash: string;
  readonly now?: Date;
}

export const shippedRelease: Release = { rows: library.rows, hash: libraryHash(readFrameworkFiles()) };

/** A real store with this plugin's tables and the seeded library, and the services over it. */
export interface TaxonomyStore {
  readonly store: Store;
  readonly ids: Ids;
  readonly history: History;
  /** Charts that listeners were notified of. */
  readonly linked: readonly string[];
  readonly blocks: ReturnType<typeof createTaxonomyBlocks>;
  readonly edits: ReturnType<typeof createMappingEdits>;
  readonly views: StoredLibraryViews;
  /** Graphs that were marked stale, with the reason. */
  readonly stale: readonly (readonly [graphId: string, reason: string])[];
  /** Starts a release: the shipped one by default. */
  seed(release?: Release): Promise<SeedOutcome>;
  inGraph<T>(graphId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
  write<T>(graphId: string, work: (block: BlockWork) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The id of a shipped US GAAP concept. */
export function conceptId(name: string): string {
  const found = library.elementByQname(`rs-gaap:${name}`);
  if (found === undefined) throw new Error(`${name} is not shipped.`);
  return found.id;
}

/** The contributions of plugins that answer as `history` says and record there what they are told. */
function pluginsWith(history: History): {
  readonly guard: ElementGuard;
  readonly dependant: BlockDependant;
  readonly links: EntityLinks;
} {
  const guard: ElementGuard = {
    key: 'test-history',
    used: async (_tx, elementIds) => elementIds.filter((id) => history.used.includes(id)),
    closedMonths: async () => history.months,
    usedStructures: async (_tx, ids) => ids.filter((id) => history.usedStructures.includes(id)),
  };
  const factsOn = (elementIds: readonly string[]) => history.facts.filter((id) => elementIds.includes(id));
  const dependant: BlockDependant = {
    key: 'test-facts',
    elementsWithFacts: async (_tx, elementIds) => factsOn(elementIds),
    countFacts: async (_tx, { elementIds }) => factsOn(elementIds).length,
    protectedSets: async () => history.protectedSets,
    closedSets: async (_tx, elementIds) => (factsOn(elementIds).length === 0 ? undefined : history.protectedSets),
    removeFacts: async (_tx, { elementIds }) => {
      const gone = factsOn(elementIds);
      history.facts = history.facts.filter((id) => !gone.includes(id));
      return gone.length;
    },
    removeResults: async (_tx, ruleIds) => {
      history.resultsRemoved.push(...ruleIds);
    },
    results: async () => [],
  };
  const links: EntityLinks = {
    key: 'test-links',
    reportingTaxonomyId: async () => undefined,
    primaryChartId: async () => undefined,
    unlink: async (_tx, taxonomyIds) => {
      history.unlinked.push(...taxonomyIds);
      return { wasPrimaryChart: true };
    },
  };
  return { guard, dependant, links };
}

/** Opens a store with the library of a release. */
export async function openTaxonomyStore(first: Release = shippedRelease): Promise<TaxonomyStore> {
  const driver = storeDrivers().at(-1);
  if (driver === undefined) throw new Error('There is no store driver to test with.');
  const { store, dispose } = await driver.create();
  await store.migrate(migrationSets([taxonomy]));
  let serial = 0;
  const ids: Ids = {
    make: (prefix) => {
      serial += 1;
      return `${prefix}_${String(serial).padStart(6, '0')}`;
    },
  };
  const history: History = {
    used: [],
    usedStructures: [],
    months: undefined,
    facts: [],
    protectedSets: undefined,
    unlinked: [],
    resultsRemoved: [],
    isAuthoringEnabled: true,
  };
  const { guard, dependant, links } = pluginsWith(history);
  const linked: string[] = [];
  const stale: [string, string][] = [];
  const graphs = {
    markStale: async (_tx: Transaction, graphId: string, reason: string) => {
      stale.push([graphId, reason]);
    },
  };
  const listener = {
    key: 'test-entity',
    created: async ({ taxonomyId }: { readonly taxonomyId: string }) => {
      linked.push(taxonomyId);
    },
  };
  const inGraph = <T>(graphId: string, work: (tx: Transaction) => Promise<T>) => store.transaction({ graphId }, work);
  const opened: TaxonomyStore = {
    store,
    ids,
    history,
    linked,
    blocks: createTaxonomyBlocks({
      ids,
      library,
      guards: [guard],
      listeners: [listener],
      dependants: [dependant],
      links: [links],
      get isAuthoringEnabled() {
        return history.isAuthoringEnabled;
      },
    }),
    views: new StoredLibraryViews({
      library,
      guards: [guard],
      graphs,
    }),
    stale,
    edits: createMappingEdits({ ids, library, guards: [guard], dependants: [dependant] }),
    seed: (release = shippedRelease) =>
      seedLibrary(store, {
        hash: release.hash,
        now: release.now ?? now,
        rows: () => release.rows,
        onMoved: (tx, graphId) => graphs.markStale(tx, graphId, 'library_resynced'),
      }),
    inGraph,
    write: (graphId, work) => inGraph(graphId, (tx) => work({ tx, userId: 'user_1', now })),
    close: async () => {
      await dispose();
      await driver.stop();
    },
  };
  await opened.seed(first);
  return opened;
}
