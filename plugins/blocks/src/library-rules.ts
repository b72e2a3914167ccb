import { type Library, libraryId } from '@pacioli/taxonomy';
import { arrangementsOf } from './domain/children.ts';
import { groupBy } from './domain/group-by.ts';
import { type Arrangement, shippedRules } from './domain/shipped-rules.ts';
import type { Rule } from './models/rules.ts';

/** The rules that ship, by what they are about, and the shipped summands of each total. Constants in memory. */
export interface ShippedRules {
  about(targetIds: ReadonlySet<string>): readonly Rule[];
  find(ruleId: string): Rule | undefined;
  readonly arrangements: ReadonlyMap<string, readonly Arrangement[]>;
}

const prefix = 'rs-gaap';

/** Derives the rules from the library: they follow its arcs, so there is nothing to seed or to keep in step. */
export function createShippedRules(library: Library): ShippedRules {
  // Arcs of roll-forwards lead from a balance to its movements: without the opening balance they are no sum.
  const isSum = ({ structureId }: { readonly structureId: string }): boolean =>
    library.structureById(structureId)?.conceptArrangement !== 'roll_forward';
  const arrangements = arrangementsOf(library.rows.associations.filter(isSum));
  const rules = shippedRules({
    elementId: (name) => {
      const found = library.elementByQname(`${prefix}:${name}`);
      if (found === undefined) throw new Error(`The library has no concept ${prefix}:${name}.`);
      return found.id;
    },
    qnameOf: (elementId) => library.elementById(elementId)?.qname ?? elementId,
    ruleId: (name) => libraryId('rule', `${prefix}:${name}`),
    arrangements,
  });
  const byTarget = groupBy(rules, ({ target }) => target?.id ?? '');
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return {
    about: (targetIds) => [...targetIds].flatMap((id) => byTarget.get(id) ?? []),
    find: (ruleId) => byId.get(ruleId),
    arrangements: groupBy(arrangements, ({ parentId }) => parentId),
  };
}
