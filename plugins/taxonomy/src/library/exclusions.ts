import type { LibraryCatalog } from './library-catalog.ts';

/** A concept that cannot be hidden from lists, with the reason. */
export interface ExclusionProblem {
  readonly qname: string;
  readonly reason: 'unknown' | 'in_statements' | 'rule_target' | 'mapped';
}

/**
 * Finds the concepts that cannot be hidden from a graph's lists (taxonomy LB-10); `mappedIds` are those of its
 * mappings.
 */
export function exclusionProblems(
  qnames: readonly string[],
  catalog: LibraryCatalog,
  mappedIds: ReadonlySet<string>,
): readonly ExclusionProblem[] {
  const ruled = new Set(
    catalog.rows.rules.flatMap(({ targetId, variables }) => [
      targetId,
      ...variables.flatMap(({ variable_element_id, variable_addends = [] }) => [
        variable_element_id,
        ...variable_addends.map((addend) => addend.variable_element_id),
      ]),
    ]),
  );
  return qnames.flatMap((qname): readonly ExclusionProblem[] => {
    const element = catalog.elementByQname(qname);
    if (element === undefined) return [{ qname, reason: 'unknown' }];
    if (mappedIds.has(element.id)) return [{ qname, reason: 'mapped' }];
    if (isInStatements(element.qname, catalog)) return [{ qname, reason: 'in_statements' }];
    return ruled.has(element.id) ? [{ qname, reason: 'rule_target' }] : [];
  });
}

function isInStatements(qname: string, { statements }: LibraryCatalog): boolean {
  return statements.styles.some(({ code }) => {
    const style = statements.ofStyle(code);
    return style?.isRolledUp(qname) === true || style?.leafOf(qname)?.isDirect === true;
  });
}
