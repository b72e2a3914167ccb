import type { BlockEnvelope } from '../models/taxonomy-block-envelope.ts';
import {
  type StoredArc,
  type StoredBlock,
  type StoredElement,
  type StoredRule,
  type StoredStructure,
  type TaxonomyHead,
  taxonomyType,
} from '../vocabulary/index.ts';

/** The facts about a block that its row holds. */
export function headFields(head: TaxonomyHead) {
  const type = taxonomyType(head.taxonomy_type);
  return {
    id: head.id,
    name: head.name,
    taxonomy_type: head.taxonomy_type,
    display_name: type?.displayName ?? head.taxonomy_type,
    category: type?.category ?? head.taxonomy_type,
    parent_taxonomy_id: head.parent_taxonomy_id,
    parent_taxonomy_name: head.parent_taxonomy_name,
    version: head.version,
    standard: head.standard,
    namespace_uri: head.namespace_uri,
    is_locked: head.is_locked,
  };
}

/** An element of a block; what lies in a locked taxonomy comes from the library (taxonomy T-3). */
export function elementFields(element: StoredElement, isLocked: boolean) {
  return {
    id: element.id,
    name: element.name,
    origin: isLocked ? ('library' as const) : ('tenant' as const),
    qname: element.qname,
    trait: element.trait,
    balance_type: element.balanceType,
    period_type: element.periodType,
    element_type: element.elementType,
    is_monetary: element.isMonetary,
    parent_qname: element.parentQname,
    depth: element.depth,
  };
}

/** A structure of a block, with its stored role (taxonomy T-21). */
export function structureFields(structure: StoredStructure) {
  return {
    id: structure.id,
    name: structure.name,
    block_type: structure.blockType,
    description: structure.description,
    role_uri: structure.roleUri,
  };
}

/** An arc of a block. */
export function arcFields(arc: StoredArc) {
  return {
    id: arc.id,
    structure_id: arc.structureRef,
    from_element_qname: arc.from,
    to_element_qname: arc.to,
    association_type: arc.associationType,
    order_value: arc.orderValue,
    arcrole: arc.arcrole,
    weight: arc.weight,
  };
}

/** A rule of a block. */
export function ruleFields(rule: StoredRule) {
  const target = rule.targets[0];
  return {
    id: rule.id,
    name: rule.name,
    rule_category: rule.category,
    rule_expression: rule.expression,
    rule_pattern: rule.pattern,
    rule_check_kind: rule.checkKind,
    severity: rule.severity,
    origin: rule.origin,
    target_kind: target?.kind ?? null,
    target_ref: target?.ref ?? null,
  };
}

/** The answer of create and update (taxonomy T-30). */
export function blockEnvelope(
  block: StoredBlock,
  results: readonly Readonly<Record<string, unknown>>[],
): BlockEnvelope {
  const { head, elements, structures, arcs, rules } = block;
  return {
    ...headFields(head),
    elements: elements.map((element) => elementFields(element, head.is_locked)),
    structures: structures.map(structureFields),
    associations: arcs.map(arcFields),
    rules: rules.map(ruleFields),
    verification_results: [...results],
    element_count: elements.length,
    structure_count: structures.length,
    association_count: arcs.length,
  };
}
