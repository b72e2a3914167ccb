import { groupBy } from '../values/index.ts';
import type { CuratedGaap, Frameworks, FundamentalConcepts } from '../vocabulary/index.ts';
import { rollUpRule } from './auto-rules.ts';
import { driverCatalog, driverRule } from './driver-catalog.ts';
import { driverPrefix, facPrefix, gaapPrefix, metricPrefix } from './framework.ts';
import { libraryId } from './library-ids.ts';
import { metricRule } from './metric-catalog.ts';

/** A shipped rule with its final ids. */
export interface LibraryRuleRow {
  readonly id: string;
  readonly taxonomyId: string;
  readonly structureId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly ruleCategory: string;
  readonly rulePattern: string;
  readonly expression: string;
  readonly variables: readonly LibraryRuleVariable[];
  readonly targetKind: 'structure' | 'element';
  readonly targetId: string;
}

export interface LibraryRuleVariable {
  readonly variable_name: string;
  readonly variable_qname: string;
  readonly variable_element_id: string;
  /** Concepts whose values are added to that of the variable where they are present (reporting R-4). */
  readonly variable_addends?: readonly LibraryRuleAddend[];
}

export type LibraryRuleAddend = Pick<LibraryRuleVariable, 'variable_qname' | 'variable_element_id'>;

/** Lookups that turn rules into rows. */
export interface RuleIds {
  readonly gaapTaxonomyId: string;
  readonly facTaxonomyId: string;
  readonly metricTaxonomyId: string;
  readonly driverTaxonomyId: string;
  elementId(qname: string): string;
  structureId(key: string): string;
}

const relation = 'FundamentalAccountingConceptRelation';

/** Every shipped rule: footing rules from the arcs, identities between statements, those of fac, metrics, drivers (3.4). */
export function libraryRules({ fac, gaap }: Frameworks, ids: RuleIds): readonly LibraryRuleRow[] {
  return [
    ...rollUpRules(gaap, ids),
    ...crossTreeRules(ids),
    ...facRules(fac, ids),
    ...metricRules(gaap, ids),
    ...driverRules(gaap, ids),
  ];
}

function rollUpRules(gaap: CuratedGaap, ids: RuleIds): readonly LibraryRuleRow[] {
  const totals = groupBy(gaap.calculation, ({ structure, total }) => `${structure}\n${total}`);
  return [...totals.values()].flatMap((arcs) => {
    const [first] = arcs;
    if (first === undefined) return [];
    const { structure, total } = first;
    const structureId = ids.structureId(structure);
    const items = [...arcs].sort((a, b) => a.order - b.order).map(({ item, weight }) => ({ to: item, weight }));
    const rule = rollUpRule(`${structure}: ${total}`, total, items, { kind: 'structure', ref: structureId });
    return [
      {
        id: libraryId('rule', `${gaapPrefix}:rollup:${structure}:${total}`),
        taxonomyId: ids.gaapTaxonomyId,
        structureId,
        name: rule.name,
        description: null,
        ruleCategory: relation,
        rulePattern: 'RollUp',
        expression: rule.expression,
        variables: rule.variables.map(({ name, qname }) => variableRow(name, qname, ids)),
        targetKind: 'structure' as const,
        targetId: structureId,
      },
    ];
  });
}

interface CrossTreeRule {
  readonly key: string;
  readonly name: string;
  readonly expression: string;
  /** The concept of each variable. */
  readonly variables: Readonly<Record<string, string>>;
  /** Concepts that are added to a variable where they are present. */
  readonly addends?: Readonly<Record<string, readonly string[]>>;
}

/** Equations between different statements (reporting R-4), each attached to the concept on its left side. */
const crossTree: readonly CrossTreeRule[] = [
  {
    key: 'assets-are-liabilities-and-equity',
    name: 'Assets = Liabilities + Equity',
    expression: '$Assets = ($Liabilities + $Equity)',
    variables: {
      Assets: 'Assets',
      Liabilities: 'Liabilities',
      Equity: 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
    },
    // Classified between liabilities and equity; most books have none of them.
    addends: {
      Equity: [
        'CommitmentsAndContingencies',
        'TemporaryEquityCarryingAmountAttributableToParent',
        'RedeemableNoncontrollingInterestEquityCarryingAmount',
      ],
    },
  },
  {
    key: 'both-sides-agree',
    name: 'Assets = Liabilities and Equity',
    expression: '$Assets = $LiabilitiesAndEquity',
    variables: { Assets: 'Assets', LiabilitiesAndEquity: 'LiabilitiesAndStockholdersEquity' },
  },
  {
    key: 'comprehensive-income',
    name: 'Comprehensive income = Net income + Other comprehensive income',
    expression: '$ComprehensiveIncome = ($NetIncomeLoss + $OtherComprehensiveIncome)',
    variables: {
      ComprehensiveIncome: 'ComprehensiveIncomeNetOfTaxIncludingPortionAttributableToNoncontrollingInterest',
      NetIncomeLoss: 'ProfitLoss',
      OtherComprehensiveIncome: 'OtherComprehensiveIncomeLossNetOfTax',
    },
  },
];

function crossTreeRules(ids: RuleIds): readonly LibraryRuleRow[] {
  return crossTree.map(({ key, name, expression, variables, addends }) => {
    const rows = Object.entries(variables).map(([variable, local]) => {
      const row = variableRow(variable, `${gaapPrefix}:${local}`, ids);
      const added = (addends?.[variable] ?? []).map((each) => {
        const qname = `${gaapPrefix}:${each}`;
        return { variable_qname: qname, variable_element_id: ids.elementId(qname) };
      });
      return added.length === 0 ? row : { ...row, variable_addends: added };
    });
    return elementRule(`${gaapPrefix}:${key}`, ids.gaapTaxonomyId, { name, expression, rows, pattern: 'EqualTo' });
  });
}

function facRules(fac: FundamentalConcepts, ids: RuleIds): readonly LibraryRuleRow[] {
  const rule = (key: string, name: string, pattern: string, left: string, right: string, description: string) => {
    const names = new Set([left, ...(right.match(/[A-Za-z]\w*/g) ?? [])]);
    const rows = [...names].map((local) => variableRow(local, `${facPrefix}:${local}`, ids));
    const expression = `$${left} = ${right.replace(/[A-Za-z]\w*/g, (local) => `$${local}`)}`;
    const made = elementRule(`${facPrefix}:${key}`, ids.facTaxonomyId, { name, expression, rows, pattern });
    return { ...made, description };
  };
  return [
    ...fac.identities.map(({ id, left, right, appliesWhen }) =>
      rule(`identity:${id}`, `${id}: ${left}`, 'EqualTo', left, right, `Applies: ${appliesWhen}.`),
    ),
    ...fac.imputation.map(({ order, target, formula, requires }) =>
      rule(
        `imputation:${order}`,
        `Impute ${order}: ${target}`,
        'Derive',
        target,
        formula,
        `Needs ${requires.join(', ')}.`,
      ),
    ),
  ];
}

/** The formulas of the metric catalog (reporting M-2). */
function metricRules({ metrics }: CuratedGaap, ids: RuleIds): readonly LibraryRuleRow[] {
  return metrics.map((metric) => {
    const { expression, variables } = metricRule(metric, metrics);
    const rows = variables.map(({ name, qname }) => variableRow(name, qname, ids));
    const key = `${metricPrefix}:${metric.element.localName}`;
    return elementRule(key, ids.metricTaxonomyId, { name: metric.element.label, expression, rows, pattern: 'Derive' });
  });
}

/**
 * The formulas of the driver catalog (reporting 10.2). They are about the catalog, not about the lines that they
 * project: those are never computed from drivers outside of a forecast.
 */
function driverRules({ drivers }: CuratedGaap, ids: RuleIds): readonly LibraryRuleRow[] {
  const targetId = ids.structureId(driverCatalog.key);
  return drivers.map((driver) => {
    const { expression, variables } = driverRule(driver, drivers);
    const rows = variables.map(({ name, qname }) => variableRow(name, qname, ids));
    const key = `${driverPrefix}:${driver.element.localName}`;
    const named = { name: driver.element.label, expression, rows, pattern: 'Derive' };
    return { ...elementRule(key, ids.driverTaxonomyId, named), targetKind: 'structure', targetId };
  });
}

function elementRule(
  key: string,
  taxonomyId: string,
  rule: {
    readonly name: string;
    readonly pattern: string;
    readonly expression: string;
    readonly rows: readonly LibraryRuleVariable[];
  },
): LibraryRuleRow {
  return {
    id: libraryId('rule', key),
    taxonomyId,
    structureId: null,
    name: rule.name,
    description: null,
    ruleCategory: relation,
    rulePattern: rule.pattern,
    expression: rule.expression,
    variables: rule.rows,
    targetKind: 'element',
    targetId: rule.rows[0]?.variable_element_id ?? '',
  };
}

function variableRow(name: string, qname: string, ids: RuleIds): LibraryRuleVariable {
  return { variable_name: name, variable_qname: qname, variable_element_id: ids.elementId(qname) };
}
