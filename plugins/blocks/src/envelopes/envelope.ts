import { groupBy } from '@pacioli/taxonomy/expressions';
import type { BlockElement, BlockView, ViewSubject } from '../models/block-view.ts';
import type { Rule, RuleStatus, VerificationResult } from '../models/rules.ts';
import { connectionLite, elementLite, factLite, factSetLite, resultLite, ruleLite } from '../models/to-wire.ts';

/** The inputs of an envelope (B-6). */
export interface EnvelopeParts {
  readonly type: {
    readonly displayName: string;
    readonly category: string;
    readonly conceptArrangement: string | null;
    readonly memberArrangement: string | null;
  };
  readonly subject: ViewSubject;
  readonly results: readonly VerificationResult[];
  readonly mechanics: object;
  readonly view: BlockView;
}

/** The wire form of a block. */
export function envelopeOf({ type, subject, results, mechanics, view }: EnvelopeParts) {
  const { structure, elements, connections, facts, rules, factSet } = subject;
  const byId = new Map<string, BlockElement>(elements.map((element) => [element.id, element]));
  const { renderer_note } = structure.metadata;
  return {
    id: structure.id,
    block_type: structure.blockType,
    name: structure.name,
    display_name: type.displayName,
    category: type.category,
    taxonomy_id: structure.taxonomyId,
    taxonomy_name: structure.taxonomyName,
    disclosure_id: structure.disclosureId,
    // Structures of older packages have no arrangement; they use the default of their type (reporting B-12).
    information_model: {
      concept_arrangement: structure.conceptArrangement ?? type.conceptArrangement,
      member_arrangement: structure.memberArrangement ?? type.memberArrangement,
    },
    // Notes such as "in thousands" are for display and never change a value (reporting B-13).
    artifact: {
      topic: structure.description,
      renderer_note: typeof renderer_note === 'string' ? renderer_note : null,
      template: null,
      mechanics,
    },
    elements: elements.map(elementLite),
    connections: connections.map(connectionLite),
    facts: facts.map((fact) => factLite(fact, byId.get(fact.elementId))),
    rules: rules.map(ruleLite),
    dimensions: [],
    fact_set: factSet === undefined ? null : factSetLite(factSet),
    verification_results: results.map(resultLite),
    verification_summary: summaryOf(results, rules),
    view,
  };
}

export type Envelope = ReturnType<typeof envelopeOf>;

/** Counts by rule category; `Uncategorized` for deleted rules; null without results (B-10). */
function summaryOf(results: readonly VerificationResult[], rules: readonly Rule[]) {
  if (results.length === 0) return null;
  const categoryOf = new Map(rules.map(({ id, category }) => [id, category]));
  const groups = groupBy(results, ({ ruleId }) => categoryOf.get(ruleId) ?? 'Uncategorized');
  const byCategory = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, group]) => ({ category, ...countsOf(group) }));
  return { ...countsOf(results), by_category: byCategory };
}

function countsOf(results: readonly VerificationResult[]) {
  const count = (status: RuleStatus): number => results.filter((result) => result.status === status).length;
  return {
    total: results.length,
    passed: count('pass'),
    failed: count('fail'),
    errored: count('error'),
    skipped: count('skipped'),
  };
}
