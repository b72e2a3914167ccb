import type {
  AssociationRequest,
  ElementRequest,
  RuleRequest,
  StructureRequest,
} from '../models/taxonomy-block-requests.ts';
import {
  type BlockArc,
  type BlockElement,
  type BlockRule,
  type BlockStructure,
  derivedQname,
  type RuleTarget,
} from '../vocabulary/index.ts';

/** A requested element as a block has it; the prefix is for an element that comes without a qname. */
export function requestedElement(request: ElementRequest, prefix: string): BlockElement {
  const code = request.code ?? null;
  return {
    id: null,
    qname: request.qname === '' ? derivedQname(prefix, code, request.name) : request.qname,
    name: request.name,
    code,
    description: request.description ?? null,
    trait: request.trait ?? null,
    balanceType: request.balance_type ?? null,
    periodType: request.period_type ?? null,
    elementType: request.element_type ?? 'concept',
    isMonetary: request.is_monetary ?? true,
    isActive: true,
    subClassification: request.sub_classification ?? null,
    parentQname: request.parent_ref === '' ? null : (request.parent_ref ?? null),
    metadata: request.metadata ?? {},
  };
}

/** A requested structure as a block has it. */
export function requestedStructure(request: StructureRequest): BlockStructure {
  return {
    id: null,
    name: request.name,
    blockType: request.block_type,
    conceptArrangement: request.concept_arrangement ?? null,
    description: request.description ?? null,
    roleUri: request.role_uri ?? null,
    metadata: request.metadata ?? {},
  };
}

/** A requested arc as a block has it. */
export function requestedArc(request: AssociationRequest): BlockArc {
  return {
    id: null,
    structureRef: request.structure_ref,
    from: request.from_ref,
    to: request.to_ref,
    associationType: request.association_type,
    orderValue: request.order_value ?? null,
    arcrole: request.arcrole ?? null,
    weight: request.weight ?? null,
    metadata: request.metadata ?? {},
  };
}

/** A requested rule as a block has it. */
export function requestedRule(request: RuleRequest): BlockRule {
  const targets: RuleTarget[] = [];
  if (request.target_structure_ref != null) targets.push({ kind: 'structure', ref: request.target_structure_ref });
  if (request.target_element_qname != null) targets.push({ kind: 'element', ref: request.target_element_qname });
  if (request.target_taxonomy_self === true) targets.push({ kind: 'taxonomy', ref: '' });
  return {
    id: null,
    name: request.name,
    description: request.description ?? null,
    category: request.rule_category,
    pattern: request.rule_pattern,
    checkKind: null,
    expression: request.expression,
    variables: (request.variables ?? []).map(({ variable_name, variable_qname, ...extra }) => ({
      name: typeof variable_name === 'string' ? variable_name.replace(/^\$/, '') : '',
      qname: typeof variable_qname === 'string' ? variable_qname : '',
      extra,
    })),
    severity: request.severity ?? 'error',
    origin: 'native',
    targets,
    message: request.message ?? null,
    metadata: request.metadata ?? {},
  };
}
