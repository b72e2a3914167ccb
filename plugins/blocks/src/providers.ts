import {
  type Contribution,
  contribute,
  createToken,
  documentTexts,
  kernel,
  type Provider,
  provide,
} from '@pacioli/core';
import { blockDependants, library, structureParts, taxonomyRules } from '@pacioli/taxonomy';
import { BlockReader, blockTypeContributions, createBlockDependant } from './envelopes/index.ts';
import {
  countFacts,
  countScenarioSets,
  deleteFacts,
  deleteSets,
  finalizeSets,
  findNewestEndBefore,
  insertFacts,
  insertSets,
  readFactBatches,
  readFacts,
  readMembers,
  readNewestNumbers,
  readSets,
  readTextFacts,
  removeScenario,
  replaceMetricSet,
  replaceMonthSets,
} from './facts/index.ts';
import {
  builtInPatterns,
  checkNewRules,
  insertRules,
  RuleFinder,
  readRulesOfStructures,
  removeRules,
  StoredRuleEngine,
} from './rules/index.ts';
import {
  blockEnvelopes,
  blockTypes,
  blockViewers,
  factStore,
  type RulePattern,
  reportFilings,
  reportingEntities,
  ruleEngine,
  rulePatterns,
  ruleStore,
} from './tokens.ts';

/** The reads of rules that the engine and the envelopes share. */
const ruleFinder = createToken<RuleFinder>('blocks.rule-finder');

export const providers: readonly Provider[] = [
  provide(factStore, {
    services: { ids: kernel.ids },
    create: ({ ids }) => ({
      createSet: async (tx, set) => {
        const [id] = await insertSets(tx, [set], ids);
        if (id === undefined) throw new Error('A fact set was written without an id.');
        return id;
      },
      createSets: (tx, sets) => insertSets(tx, sets, ids),
      addFacts: (tx, setId, facts, now) => insertFacts(tx, [{ setId, facts }], { ids, now }),
      addFactsToSets: (tx, sets, now) => insertFacts(tx, sets, { ids, now }),
      deleteFacts,
      deleteSets,
      finalizeSets,
      sets: readSets,
      facts: readFacts,
      textFacts: readTextFacts,
      countFacts,
      factBatches: readFactBatches,
      members: readMembers,
      newestNumbers: readNewestNumbers,
      newestEndBefore: findNewestEndBefore,
      replaceMetricSet: (tx, set, facts) => replaceMetricSet(tx, set, facts, ids),
      replaceMonthSets: (tx, sets, now) => replaceMonthSets(tx, sets, { ids, now }),
      removeScenario,
      countScenarioSets,
    }),
  }),
  provide(ruleFinder, {
    services: { library, taxonomyRules },
    create: (use) => new RuleFinder(use.library, use.taxonomyRules),
  }),
  provide(ruleStore, {
    services: { ids: kernel.ids, patterns: rulePatterns, finder: ruleFinder },
    create: ({ ids, patterns, finder }) => ({
      add: (tx, rules) => {
        checkNewRules(rules, byKey(patterns));
        return insertRules(tx, rules, ids);
      },
      removeByStructure: (tx, structureIds, options) => removeRules(tx, structureIds, options?.pattern),
      about: (tx, targetIds) => finder.about(tx, targetIds),
      forStructures: readRulesOfStructures,
    }),
  }),
  provide(ruleEngine, {
    services: {
      ids: kernel.ids,
      structures: structureParts,
      library,
      finder: ruleFinder,
      patterns: rulePatterns,
    },
    create: ({ patterns, ...use }) => new StoredRuleEngine({ ...use, patterns: byKey(patterns) }),
  }),
  provide(blockEnvelopes, {
    services: {
      structures: structureParts,
      finder: ruleFinder,
      types: blockTypes,
      viewers: blockViewers,
      entities: reportingEntities,
      documents: documentTexts,
    },
    create: (use) => new BlockReader(use),
  }),
];

export const contributions: readonly Contribution[] = [
  ...blockTypeContributions,
  ...Object.entries(builtInPatterns).map(([name, pattern]) =>
    contribute(rulePatterns, name, { create: () => pattern }),
  ),
  contribute(blockDependants, 'blocks', {
    services: { filings: reportFilings },
    create: ({ filings }) => createBlockDependant(filings),
  }),
];

function byKey(patterns: readonly RulePattern[]): ReadonlyMap<string, RulePattern> {
  return new Map(patterns.map((pattern) => [pattern.key, pattern]));
}
