import { columnsOf, type RowOf } from '@pacioli/core';
import type {
  TaxonomyAssociation,
  TaxonomyElement,
  TaxonomyRule,
  TaxonomyStructure,
  TaxonomyTaxonomy,
} from '../rows.gen.ts';
import type { StoredArc, StoredElement, StoredRule, StoredStructure } from '../vocabulary/index.ts';

type Json = Readonly<Record<string, unknown>>;

export const structureColumns = columnsOf<TaxonomyStructure>('s')(
  'id',
  'taxonomy_id',
  'name',
  'description',
  'block_type',
  'concept_arrangement',
  'role_uri',
  'metadata',
);

export type StructureRow = RowOf<typeof structureColumns> & {
  readonly block_id: TaxonomyTaxonomy['id'];
  readonly metadata: Json;
};

export const elementColumns = columnsOf<TaxonomyElement>('e')(
  'id',
  'taxonomy_id',
  'qname',
  'name',
  'code',
  'description',
  'trait',
  'balance_type',
  'period_type',
  'element_type',
  'is_monetary',
  'is_active',
  'sub_classification',
  'depth',
  'metadata',
);

export type ElementRow = RowOf<typeof elementColumns> & {
  readonly taxonomy_id: NonNullable<TaxonomyElement['taxonomy_id']>;
  readonly metadata: Json;
  /** The id of a parent without a qname. */
  readonly parent_qname: TaxonomyElement['qname'];
};

export const arcColumns = columnsOf<TaxonomyAssociation>('a')(
  'id',
  'structure_id',
  'from_element_id',
  'to_element_id',
  'association_type',
  'order_value',
  'arcrole',
  'weight',
  'metadata',
);

export type ArcRow = RowOf<typeof arcColumns> & { readonly metadata: Json };

export const endColumns = columnsOf<TaxonomyElement>('e')('id', 'qname', 'taxonomy_id');

/** The fields of the element at the end of an arc. */
export type EndRow = RowOf<typeof endColumns>;

export const ruleColumns = columnsOf<TaxonomyRule>('r')(
  'id',
  'taxonomy_id',
  'name',
  'description',
  'rule_category',
  'rule_pattern',
  'rule_check_kind',
  'expression',
  'variables',
  'severity',
  'origin',
  'target_kind',
  'message',
  'metadata',
);

export type RuleRow = RowOf<typeof ruleColumns> & {
  readonly variables: readonly Json[];
  readonly target_ref: string | null;
  readonly metadata: Json;
};

/** Converts a structure row. */
export function structureOf(row: StructureRow): StoredStructure {
  return {
    id: row.id,
    taxonomyId: row.taxonomy_id,
    name: row.name,
    blockType: row.block_type,
    conceptArrangement: row.concept_arrangement,
    description: row.description,
    roleUri: row.role_uri,
    metadata: row.metadata,
  };
}

/** Converts an element row. */
export function elementOf(row: ElementRow): StoredElement {
  return {
    id: row.id,
    // Synced accounts may have no qname; within a block their id replaces it.
    qname: row.qname ?? row.id,
    name: row.name,
    code: row.code,
    description: row.description,
    trait: row.trait,
    balanceType: row.balance_type,
    periodType: row.period_type,
    elementType: row.element_type,
    isMonetary: row.is_monetary,
    isActive: row.is_active,
    subClassification: row.sub_classification,
    depth: row.depth,
    parentQname: row.parent_qname,
    metadata: row.metadata,
  };
}

/** Converts an arc row; a deleted end is shown by its id instead of its name. */
export function arcOf(row: ArcRow, ends: ReadonlyMap<string, EndRow>): StoredArc {
  const [from, to] = [ends.get(row.from_element_id), ends.get(row.to_element_id)];
  return {
    id: row.id,
    fromId: row.from_element_id,
    toId: row.to_element_id,
    fromTaxonomyId: from?.taxonomy_id,
    toTaxonomyId: to?.taxonomy_id,
    structureRef: row.structure_id,
    from: from?.qname ?? row.from_element_id,
    to: to?.qname ?? row.to_element_id,
    associationType: row.association_type,
    orderValue: row.order_value,
    arcrole: row.arcrole,
    weight: row.weight,
    metadata: row.metadata,
  };
}

/** Converts a rule row. */
export function ruleOf(row: RuleRow): StoredRule {
  const { target_kind: kind, target_ref: ref } = row;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    category: row.rule_category,
    pattern: row.rule_pattern,
    checkKind: row.rule_check_kind,
    expression: row.expression,
    variables: row.variables.map(({ variable_name, variable_qname, ...extra }) => ({
      name: String(variable_name),
      qname: String(variable_qname),
      extra,
    })),
    severity: row.severity,
    origin: row.origin,
    targets: kind === null || ref === null ? [] : [{ kind, ref }],
    message: row.message,
    metadata: row.metadata,
  };
}
