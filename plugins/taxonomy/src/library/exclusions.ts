import type { LibraryCatalogue } from './library-catalogue.ts';

/** A concept that lists must go on showing, and why. */
export interface ExclusionProblem {
  readonly qname: string;
  readonly reason: 'unknown' | 'in_statements' | 'rule_target' | 'mapped';
}

/** Why concepts cannot be hidden from a graph's lists (taxonomy LB-10); `mappedIds` are those of its mappings. */
export function exclusionProblems(
  qnames: readonly string[],
  catalogue: LibraryCatalogue,
  mappedIds: ReadonlySet<string>,
): readonly ExclusionProblem[] {
  const ruled = new Set(
    catalogue.rows.rules.flatMap(({ targetId, variables }) => [
      targetId,
      ...variables.flatMap(({ variable_element_id, variable_addends = [] }) => [
        variable_element_id,
        ...variable_addends.map((addend) => addend.variable_element_id),
      ]),
    ]),
  );
  return qnames.flatMap((qname): readonly ExclusionProblem[] => {
    const element = catalogue.elementByQname(qname);
    if (element === undefined) return [{ qname, reason: 'unknown' }];
    if (mappedIds.has(element.id)) return [{ qname, reason: 'mapped' }];
    if (isInStatements(element.qname, catalogue)) return [{ qname, reason: 'in_statements' }];
    return ruled.has(element.id) ? [{ qname, reason: 'rule_target' }] : [];
  });
}

function isInStatements(qname: string, { statements }: LibraryCatalogue): boolean {
  return statements.styles.some(({ code }) => {
    const style = statements.ofStyle(code);
    return style?.isRolledUp(qname) === true || style?.leafOf(qname)?.isDirect === true;
  });
}
