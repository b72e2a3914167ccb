/** One thing that is wrong with a block; all are fatal (taxonomy T-23, T-24). */
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

/** An element of a block as it will be when the request has been applied. */
export interface BlockElement {
  /** Set for a stored element. */
  readonly id: string | null;
  readonly qname: string;
  readonly name: string;
  readonly code: string | null;
  readonly description: string | null;
  readonly trait: string | null;
  /** As requested; null leaves it to the trait. */
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

/** What a rule speaks about; `ref` is a structure's name or id, a qname, an arc's id, or the taxonomy itself. */
export interface RuleTarget {
  readonly kind: 'structure' | 'element' | 'association' | 'taxonomy';
  readonly ref: string;
}

export interface RuleVariable {
  readonly name: string;
  readonly qname: string;
  /** Everything that the request said of the variable, such as where it is bound. */
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
  /** More than one only in a request that contradicts itself; empty for a rule of everything. */
  readonly targets: readonly RuleTarget[];
  readonly message: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A whole taxonomy; a chart with its mappings (taxonomy M-4). */
export interface Block {
  readonly taxonomyType: string;
  readonly parentTaxonomyId: string | null;
  readonly namespaceUri: string | null;
  readonly elements: readonly BlockElement[];
  readonly structures: readonly BlockStructure[];
  readonly arcs: readonly BlockArc[];
  readonly rules: readonly BlockRule[];
}

/** Makes an issue. */
export function issue(
  phase: BlockPhase,
  code: string,
  message: string,
  context: Readonly<Record<string, unknown>> = {},
): BlockIssue {
  return { phase, code, message, context };
}

/** The sentence of all issues, in the order of the phases (taxonomy T-23). */
export function issuesText(issues: readonly BlockIssue[]): string {
  const list = inPhaseOrder(issues).map(({ phase, code, message }) => `[${phase}/${code}] ${message}`);
  return `${issues.length} taxonomy block validation issue(s): ${list.join('; ')}`;
}

/** The issues by phase, otherwise in the order in which they were found. */
export function inPhaseOrder(issues: readonly BlockIssue[]): readonly BlockIssue[] {
  return [...issues].sort((a, b) => blockPhases.indexOf(a.phase) - blockPhases.indexOf(b.phase));
}

/** Taxonomy T-25: the qname that an empty one stands for. */
export function derivedQname(prefix: string, code: string | null, name: string): string {
  return `${prefix}:${(code ?? name).replace(/\s+/g, '')}`;
}

/** The structures of a block by every reference that names them: their ids and their names. */
export function structuresByRef(structures: readonly BlockStructure[]): ReadonlyMap<string, BlockStructure> {
  const entries = structures.flatMap((structure): readonly (readonly [string, BlockStructure])[] => [
    [structure.name, structure],
    ...(structure.id === null ? [] : [[structure.id, structure] as const]),
  ]);
  return new Map(entries);
}
