import { type Library, libraryId } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import type { Rule } from '../models/rules.ts';
import { type Arrangement, arrangementsOf } from '../values/index.ts';
import { shippedRules } from './shipped-rules.ts';

/** The rules of this plugin by what they are about, and the shipped summands of each total. Constants in memory. */
export interface ShippedRules {
  about(targetIds: ReadonlySet<string>): readonly Rule[];
  readonly arrangements: ReadonlyMap<string, readonly Arrangement[]>;
}

const prefix = 'rs-gaap';

/** Binds the rules to the concepts of the library; there is nothing to seed or to keep in step. */
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
  });
  const byTarget = groupBy(rules, ({ target }) => target?.id ?? '');
  return {
    about: (targetIds) => [...targetIds].flatMap((id) => byTarget.get(id) ?? []),
    arrangements: groupBy(arrangements, ({ parentId }) => parentId),
  };
}
