import type { BlockConnection, BlockElement } from './block-view.ts';
import type { StoredFact, StoredFactSet } from './facts.ts';
import type { Rule, VerificationResult } from './rules.ts';

/** Converts a result to wire names. */
export function resultLite(result: VerificationResult) {
  return {
    id: result.id,
    rule_id: result.ruleId,
    structure_id: result.structureId,
    fact_set_id: result.factSetId,
    status: result.status,
    message: result.message,
    period_start: result.periodStart,
    period_end: result.periodEnd,
    evaluated_at: result.evaluatedAt.toISOString(),
  };
}

/** Converts an element to wire names. */
export function elementLite(element: BlockElement) {
  return {
    id: element.id,
    qname: element.qname,
    name: element.name,
    code: element.code,
    element_type: element.elementType,
    is_abstract: element.isAbstract,
    is_monetary: element.isMonetary,
    balance_type: element.balanceType,
    period_type: element.periodType,
    item_type: element.itemType,
    documentation: element.description,
  };
}

/** Converts an arc to wire names; our arcs have no classification. */
export function connectionLite(connection: BlockConnection) {
  return {
    id: connection.id,
    from_element_id: connection.fromElementId,
    to_element_id: connection.toElementId,
    association_type: connection.associationType,
    arcrole: connection.arcrole,
    order_value: connection.orderValue,
    weight: connection.weight,
    classifications: [],
  };
}

/** Converts a fact to wire names; its value becomes a JSON number (B-0.7). */
export function factLite(fact: StoredFact, element: BlockElement | undefined) {
  return {
    id: fact.id,
    element_id: fact.elementId,
    element_name: element?.name ?? null,
    element_qname: element?.qname ?? null,
    value: fact.value === null ? null : Number(fact.value),
    text_value: fact.textValue,
    fact_type: fact.factType,
    content_type: fact.contentType,
    period_start: fact.periodStart,
    period_end: fact.periodEnd,
    period_type: fact.periodType,
    // The contract does not allow null here although a text fact has no unit.
    unit: fact.unit ?? 'pure',
    fact_scope: fact.factScope,
    fact_set_id: fact.factSetId,
  };
}

/** Converts a rule to wire names. */
export function ruleLite(rule: Rule) {
  return {
    id: rule.id,
    rule_category: rule.category,
    rule_pattern: rule.pattern,
    rule_check_kind: rule.checkKind,
    rule_expression: rule.expression,
    rule_target: rule.target === null ? null : { target_kind: rule.target.kind, target_ref_id: rule.target.id },
    rule_variables: rule.variables.map((variable) => ({
      variable_name: variable.name,
      variable_qname: variable.qname,
      variable_element_id: variable.elementId,
    })),
    rule_message: rule.message,
    rule_severity: rule.severity,
    rule_origin: rule.origin,
  };
}

/** Converts a set to wire names. */
export function factSetLite(set: StoredFactSet) {
  return {
    id: set.id,
    structure_id: set.structureId,
    period_start: set.periodStart,
    period_end: set.periodEnd,
    factset_type: set.factsetType,
    entity_id: set.entityId,
    report_id: set.reportId,
    scenario_id: set.scenarioId,
    provenance: set.provenance,
  };
}
