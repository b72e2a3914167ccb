/** One defect of a block; every issue is fatal (taxonomy T-23, T-24). */
export interface BlockIssue {
  readonly phase: BlockPhase;
  readonly code: string;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>>;
}

const blockPhases = [
  'reference_resolution',
  'uniqueness',
  'structural_integrity',
  'type_specific',
  'library_origin_respect',
  'rule_expression_parse',
  'calculation_consistency',
  'delta_validation',
] as const;

export type BlockPhase = (typeof blockPhases)[number];

/** An element of a block as it will be after the request. */
export interface BlockElement {
  /** Set for a stored element. */
  readonly id: string | null;
  readonly qname: string;
  readonly name: string;
  readonly code: string | null;
  readonly description: string | null;
  readonly trait: string | null;
  /** As requested; null derives it from the trait. */
  readonly balanceType: string | null;
  readonly periodType: string | null;
  readonly elementType: string;
  readonly isMonetary: boolean;
  readonly isActive: boolean;
  readonly subClassification: string | null;
  readonly parentQname: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface BlockStructure {
  readonly id: string | null;
  readonly name: string;
  readonly blockType: string;
  readonly conceptArrangement: string | null;
  readonly description: string | null;
  readonly roleUri: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An arc; `structureRef` is the structure's name or, for stored ones, its id. */
export interface BlockArc {
  readonly id: string | null;
  readonly structureRef: string;
  readonly from: string;
  readonly to: string;
  readonly associationType: string;
  readonly orderValue: number | null;
  readonly arcrole: string | null;
  readonly weight: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The subject of a rule; `ref` is the name or id of a structure, a qname, an arc id, or empty for the taxonomy itself.
 */
export interface RuleTarget {
  readonly kind: 'structure' | 'element' | 'association' | 'taxonomy';
  readonly ref: string;
}

export interface RuleVariable {
  readonly name: string;
  readonly qname: string;
  /** All fields that the request sent for the variable, including those of its binding. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A rule: arithmetic by `pattern`, or a structural check by `checkKind` (taxonomy 1.1). */
export interface BlockRule {
  readonly id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly category: string;
  readonly pattern: string | null;
  readonly checkKind: string | null;
  readonly expression: string;
  readonly variables: readonly RuleVariable[];
  readonly severity: string;
  readonly origin: 'auto' | 'native' | 'forked';
  /** More than one only in a contradictory request; empty for a rule about the whole block. */
  readonly targets: readonly RuleTarget[];
  readonly message: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A whole taxonomy; a chart includes its mappings (taxonomy M-4). */
export interface Block {
  readonly taxonomyType: string;
  readonly parentTaxonomyId: string | null;
  readonly namespaceUri: string | null;
  readonly elements: readonly BlockElement[];
  readonly structures: readonly BlockStructure[];
  readonly arcs: readonly BlockArc[];
  readonly rules: readonly BlockRule[];
}

export function issue(
  phase: BlockPhase,
  code: string,
  message: string,
  context: Readonly<Record<string, unknown>> = {},
): BlockIssue {
  return { phase, code, message, context };
}

/** The error message of all issues, in the order of the phases (taxonomy T-23). */
export function issuesText(issues: readonly BlockIssue[]): string {
  const list = inPhaseOrder(issues).map(({ phase, code, message }) => `[${phase}/${code}] ${message}`);
  return `${issues.length} taxonomy block validation issue(s): ${list.join('; ')}`;
}

/** Sorts the issues by phase and keeps their order within a phase. */
export function inPhaseOrder(issues: readonly BlockIssue[]): readonly BlockIssue[] {
  return [...issues].sort((a, b) => blockPhases.indexOf(a.phase) - blockPhases.indexOf(b.phase));
}

/** The qname that replaces an empty one (taxonomy T-25). */
export function derivedQname(prefix: string, code: string | null, name: string): string {
  return `${prefix}:${(code ?? name).replace(/\s+/g, '')}`;
}

/** The structures of a block by each of their references: id and name. */
export function structuresByRef(structures: readonly BlockStructure[]): ReadonlyMap<string, BlockStructure> {
  const entries = structures.flatMap((structure): readonly (readonly [string, BlockStructure])[] => [
    [structure.name, structure],
    ...(structure.id === null ? [] : [[structure.id, structure] as const]),
  ]);
  return new Map(entries);
}
