import type { Transaction } from '@pacioli/core';
import type { LibraryCatalog, TaxonomyRules } from '@pacioli/taxonomy';
import type { Rule } from '../models/rules.ts';
import type { Arrangement } from '../values/index.ts';
import { createShippedRules, type ShippedRules } from './library-rules.ts';
import { readRulesOfTargets } from './rules.ts';
import { ruleOfTaxonomy } from './taxonomy-rule.ts';

/**
 * Finds rules by target: those of the library, of the graph's taxonomies and of its blocks. It holds the rules of the
 * library in memory, so a service has one.
 */
export class RuleFinder {
  readonly #shipped: ShippedRules;
  readonly #taxonomyRules: TaxonomyRules;

  constructor(library: LibraryCatalog, taxonomyRules: TaxonomyRules) {
    this.#shipped = createShippedRules(library);
    this.#taxonomyRules = taxonomyRules;
  }

  /** The shipped summands of each total, by total. */
  get shippedArrangements(): ReadonlyMap<string, readonly Arrangement[]> {
    return this.#shipped.arrangements;
  }

  /** The rules about any of the targets and those without a target, by category, then id. Sends two statements. */
  async about(tx: Transaction, targetIds: ReadonlySet<string>): Promise<readonly Rule[]> {
    const own = await readRulesOfTargets(tx, [...targetIds]);
    const authored = (await this.#taxonomyRules.ofTargets(tx, [...targetIds])).map(ruleOfTaxonomy);
    return [...this.#shipped.about(targetIds), ...authored, ...own].sort(byCategory);
  }
}

/** A total order of listed rules, so that every read returns the same order (reporting B-9). */
export function byCategory(a: Rule, b: Rule): number {
  if (a.category !== b.category) return a.category < b.category ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** The targets of rules for one structure; its taxonomy's rules are evaluated with it but not listed (B-9). */
export interface RuleScope {
  readonly structureId: string;
  readonly taxonomyId: string;
  readonly elementIds: ReadonlySet<string>;
  readonly connectionIds: ReadonlySet<string>;
}

/** The rules that an envelope lists (B-9). */
export function listedRules(rules: readonly Rule[], scope: RuleScope): readonly Rule[] {
  return rules.filter(({ target }) => {
    if (target === null || target.kind === 'taxonomy') return false;
    if (target.kind === 'structure') return target.id === scope.structureId;
    return (target.kind === 'element' ? scope.elementIds : scope.connectionIds).has(target.id);
  });
}

/** The rules evaluated with a structure: the listed ones, its taxonomy's, and those of the whole graph. */
export function judgedRules(rules: readonly Rule[], scope: RuleScope): readonly Rule[] {
  const listed = new Set(listedRules(rules, scope));
  return rules.filter(
    (rule) =>
      listed.has(rule) ||
      rule.target === null ||
      (rule.target.kind === 'taxonomy' && rule.target.id === scope.taxonomyId),
  );
}
