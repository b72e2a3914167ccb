import { type LibraryCatalog, libraryId } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import type { Rule } from '../models/rules.ts';
import { type Arrangement, arrangementsOf } from '../values/index.ts';
import { shippedRules } from './shipped-rules.ts';

/** The shipped rules by target and the shipped summands of each total, held in memory as constants. */
export interface ShippedRules {
  about(targetIds: ReadonlySet<string>): readonly Rule[];
  readonly arrangements: ReadonlyMap<string, readonly Arrangement[]>;
}

const prefix = 'rs-gaap';

/** Binds the rules to the concepts of the library in memory, so that nothing has to be seeded or kept in sync. */
export function createShippedRules(library: LibraryCatalog): ShippedRules {
  // Roll-forward arcs lead from a balance to its movements, which do not add up without the opening balance.
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
