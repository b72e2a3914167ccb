import type { AuthoredRule, Rule, RuleVariable } from '../models/rules.ts';

/** Converts a taxonomy rule to the engine's form. */
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

/** Authors write variables with wire names; values that are not text are ignored. */
function variableOf(given: Readonly<Record<string, unknown>>): RuleVariable {
  const text = (field: string): string | null => {
    const value = given[field];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const structureType = text('variable_structure_type');
  const addendIds = addendsOf(given['variable_addends']);
  return {
    name: (text('variable_name') ?? '').replace(/^\$/, ''),
    elementId: text('variable_element_id'),
    qname: text('variable_qname'),
    ...(given['at'] === 'begin' ? { at: 'begin' as const } : {}),
    ...(structureType === null ? {} : { structureType }),
    ...(addendIds.length === 0 ? {} : { addendIds }),
  };
}

/** Addends name their elements by id; entries without an id are ignored. */
function addendsOf(given: unknown): readonly string[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((addend: unknown) => {
    const isNamed = typeof addend === 'object' && addend !== null && 'variable_element_id' in addend;
    return isNamed && typeof addend.variable_element_id === 'string' ? [addend.variable_element_id] : [];
  });
}
