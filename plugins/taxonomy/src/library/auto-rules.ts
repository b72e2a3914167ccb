import { groupBy } from '../values/index.ts';
import type { Block, BlockArc, BlockRule, BlockStructure, RuleTarget, RuleVariable } from '../vocabulary/index.ts';

const modelCategory = 'ReportLevelModelStructureRule';
const relationCategory = 'FundamentalAccountingConceptRelation';

/** The structural checks of section 6 by kind, with the category that each is filed under (taxonomy T-29). */
const checkCategories: Readonly<Record<string, string>> = {
  UniqueQNameInTaxonomy: 'XBRLTechnicalSyntaxRule',
  LibraryOriginImmutability: modelCategory,
  LeafHasClassification: relationCategory,
  NoCycles: modelCategory,
  NoOrphanArcs: modelCategory,
  ParentBeforeChild: modelCategory,
};

/**
 * The rules that the system makes for a block (taxonomy T-29): its structural checks, and a footing rule for every
 * total of a roll-up structure.
 */
export function autoRules(block: Block): readonly BlockRule[] {
  const taxonomy: RuleTarget = { kind: 'taxonomy', ref: '' };
  const ofTaxonomy = [
    'UniqueQNameInTaxonomy',
    ...(block.taxonomyType === 'reporting_extension' ? ['LibraryOriginImmutability'] : []),
    ...(block.taxonomyType === 'chart_of_accounts' ? ['LeafHasClassification'] : []),
  ];
  return [
    ...ofTaxonomy.map((kind) => checkRule(kind, kind, taxonomy)),
    ...block.structures.flatMap((structure) => {
      const target: RuleTarget = { kind: 'structure', ref: structure.id ?? structure.name };
      const checks = ['NoCycles', 'NoOrphanArcs', 'ParentBeforeChild'];
      return [
        ...checks.map((kind) => checkRule(kind, `${kind}: ${structure.name}`, target)),
        ...(structure.conceptArrangement === 'roll_up' ? rollUpRules(block, structure, target) : []),
      ];
    }),
  ];
}

/** What makes an automatic rule the same one after an update, so that its id survives (taxonomy T-35). */
export function autoRuleKey(rule: BlockRule, structureIdOf: (ref: string) => string): string {
  const target = rule.targets[0];
  const place = target?.kind === 'structure' ? structureIdOf(target.ref) : '';
  return JSON.stringify([rule.checkKind ?? rule.pattern, place, rule.metadata['parent_qname'] ?? null]);
}

function checkRule(checkKind: string, name: string, target: RuleTarget): BlockRule {
  return {
    id: null,
    name,
    description: null,
    category: checkCategories[checkKind] ?? modelCategory,
    pattern: null,
    checkKind,
    expression: '',
    variables: [],
    severity: 'error',
    origin: 'auto',
    targets: [target],
    message: null,
    metadata: {},
  };
}

function rollUpRules(block: Block, structure: BlockStructure, target: RuleTarget): readonly BlockRule[] {
  const arcs = block.arcs.filter(
    ({ structureRef, associationType }) =>
      associationType === 'calculation' && (structureRef === structure.name || structureRef === structure.id),
  );
  return [...groupBy(arcs, ({ from }) => from)].map(([parent, children]) => {
    const ordered = [...children].sort((a, b) => (a.orderValue ?? 0) - (b.orderValue ?? 0) || (a.to < b.to ? -1 : 1));
    return rollUpRule(`${structure.name}: ${parent}`, parent, ordered, target);
  });
}

/** The rule that a total is the weighted sum of its items, the total first among the variables (taxonomy T-29). */
export function rollUpRule(
  name: string,
  parent: string,
  items: readonly Pick<BlockArc, 'to' | 'weight'>[],
  target: RuleTarget,
): BlockRule {
  const names = variableNames([parent, ...items.map(({ to }) => to)]);
  const variable = (qname: string): RuleVariable => ({ name: names.get(qname) ?? qname, qname, extra: {} });
  const terms = items.map(({ to, weight }, index) => term(`$${names.get(to)}`, weight ?? 1, index === 0));
  return {
    ...checkRule('', `RollUp: ${name}`, target),
    category: relationCategory,
    pattern: 'RollUp',
    checkKind: null,
    expression: `$${names.get(parent)} = (${terms.join(' ')})`,
    variables: [variable(parent), ...items.map(({ to }) => variable(to))],
    metadata: { parent_qname: parent },
  };
}

function term(variable: string, weight: number, isFirst: boolean): string {
  const size = Math.abs(weight) === 1 ? variable : `${Math.abs(weight)} * ${variable}`;
  if (isFirst) return weight < 0 ? `-${size}` : size;
  return `${weight < 0 ? '-' : '+'} ${size}`;
}

/** Local names as identifiers; names that collide become whole qnames, then get a number (taxonomy T-29). */
export function variableNames(qnames: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(qnames)];
  const local = (qname: string) => identifier(qname.slice(qname.indexOf(':') + 1));
  const byLocal = groupBy(distinct, local);
  const taken = new Set<string>();
  return new Map(
    distinct.map((qname) => {
      const short = local(qname);
      const wanted = (byLocal.get(short)?.length ?? 0) > 1 ? identifier(qname) : short;
      let name = wanted;
      for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
      taken.add(name);
      return [qname, name];
    }),
  );
}

function identifier(text: string): string {
  const word = text.replace(/\W/g, '_');
  return /^\d/.test(word) ? `_${word}` : word;
}
