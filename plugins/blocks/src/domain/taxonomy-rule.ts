import type { AuthoredRule, Rule, RuleVariable } from '../models/rules.ts';

/** A rule of a taxonomy as the engine takes it. */
export function ruleOfTaxonomy(rule: AuthoredRule): Rule {
  const { targetKind, targetId } = rule;
  return {
    id: rule.id,
    structureId: rule.structureId,
    name: rule.name,
    category: rule.category,
    pattern: rule.pattern,
    checkKind: rule.checkKind,
    expression: rule.expression,
    variables: rule.variables.map(variableOf),
    message: rule.message,
    severity: rule.severity,
    origin: rule.origin,
    target: targetKind === null || targetId === null ? null : { kind: targetKind, id: targetId },
    metadata: rule.metadata,
  };
}

/** Authors write variables with the names of the wire; what is no text is not there. */
function variableOf(given: Readonly<Record<string, unknown>>): RuleVariable {
  const text = (field: string): string | null => {
    const value = given[field];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const structureType = text('variable_structure_type');
  return {
    name: (text('variable_name') ?? '').replace(/^\$/, ''),
    elementId: text('variable_element_id'),
    qname: text('variable_qname'),
    ...(given['at'] === 'begin' ? { at: 'begin' as const } : {}),
    ...(structureType === null ? {} : { structureType }),
  };
}
