import type { AssociationRequest, ElementRequest, StructureRequest } from '../models/taxonomy-block-requests.ts';
import { type BlockArc, type BlockElement, type BlockStructure, derivedQname } from './block.ts';

/** A requested element as a block has it. */
export function requestedElement(request: ElementRequest): BlockElement {
  const code = request.code ?? null;
  return {
    id: null,
    qname: request.qname === '' ? derivedQname(code, request.name) : request.qname,
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
