import type { WeightedChild } from '../models/rule-patterns.ts';
import type { Rule, RuleVariable } from '../models/rules.ts';

/** What shipped rules are made from: constants of the library. */
export interface ShippedFacts {
  /** The id of a concept of the US GAAP framework by its local name. Throws when it is not shipped. */
  elementId(localName: string): string;
  qnameOf(elementId: string): string;
  ruleId(name: string): string;
  readonly arrangements: readonly Arrangement[];
}

/** The summands that one structure gives a total; another structure may divide the same total otherwise. */
export interface Arrangement {
  readonly structureId: string;
  readonly parentId: string;
  readonly children: readonly WeightedChild[];
}

type VariableParts = Partial<Pick<RuleVariable, 'at' | 'structureType'>>;

/** The rules of the library: identities across statements, and one roll-up for each total. */
export function shippedRules(library: ShippedFacts): readonly Rule[] {
  return [...identities(library), ...rollUps(library)];
}

function identities(library: ShippedFacts): readonly Rule[] {
  const variable = (name: string, concept: string, more: VariableParts = {}): RuleVariable => {
    const elementId = library.elementId(concept);
    return { name, elementId, qname: library.qnameOf(elementId), ...more };
  };
  const rule = (name: string, pattern: string, expression: string, variables: readonly RuleVariable[]): Rule => ({
    ...shared(library, name),
    category: 'AutomatedAccountingAndReportingChecks',
    pattern,
    expression,
    variables,
    target: variables[0]?.elementId == null ? null : { kind: 'element', id: variables[0].elementId },
  });
  const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
  const cash = 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
  return [
    rule('assets-are-claims', 'EqualTo', '$Assets = ($Liabilities + $Equity)', [
      variable('Assets', 'Assets'),
      variable('Liabilities', 'Liabilities'),
      variable('Equity', equity),
    ]),
    rule('assets-are-the-other-side', 'EqualTo', '$Assets = $LiabilitiesAndEquity', [
      variable('Assets', 'Assets'),
      variable('LiabilitiesAndEquity', 'LiabilitiesAndStockholdersEquity'),
    ]),
    rule('comprehensive-income', 'EqualTo', '$ComprehensiveIncome = ($NetIncomeLoss + $OtherComprehensiveIncome)', [
      variable(
        'ComprehensiveIncome',
        'ComprehensiveIncomeNetOfTaxIncludingPortionAttributableToNoncontrollingInterest',
      ),
      variable('NetIncomeLoss', 'ProfitLoss'),
      variable('OtherComprehensiveIncome', 'OtherComprehensiveIncomeLossNetOfTax'),
    ]),
    rule(
      'equity-roll-forward',
      'RollForward',
      '$EquityEnd = ($EquityBegin + $NetIncomeLoss + $StockIssued - $Dividends + $OtherEquityChanges)',
      [
        variable('EquityEnd', equity),
        variable('EquityBegin', equity, { at: 'begin' }),
        variable('NetIncomeLoss', 'ProfitLoss'),
        variable('StockIssued', 'StockIssuedDuringPeriodValueNewIssues'),
        variable('Dividends', 'DividendsCommonStock'),
        variable('OtherEquityChanges', 'OtherComprehensiveIncomeLossNetOfTax'),
      ],
    ),
    rule('change-in-cash', 'EqualTo', '$NetChangeInCash = ($CashEnd - $CashBegin)', [
      variable('NetChangeInCash', `${cash}PeriodIncreaseDecreaseIncludingExchangeRateEffect`),
      variable('CashEnd', cash),
      variable('CashBegin', cash, { at: 'begin' }),
    ]),
    rule('net-income-ties', 'EqualTo', '$NetIncomeIS = $NetIncomeCF', [
      variable('NetIncomeIS', 'ProfitLoss', { structureType: 'income_statement' }),
      variable('NetIncomeCF', 'ProfitLoss', { structureType: 'cash_flow_statement' }),
    ]),
  ];
}

/** One rule for each total; what it sums is decided by the arcs when it is judged. */
function rollUps(library: ShippedFacts): readonly Rule[] {
  const widest = new Map<string, Arrangement>();
  for (const arrangement of library.arrangements) {
    const known = widest.get(arrangement.parentId);
    if (known === undefined || arrangement.children.length > known.children.length) {
      widest.set(arrangement.parentId, arrangement);
    }
  }
  return [...widest.values()].map(({ parentId, children }) => {
    const variable = (elementId: string): RuleVariable => {
      const qname = library.qnameOf(elementId);
      return { name: localName(qname), elementId, qname };
    };
    const parent = variable(parentId);
    return {
      ...shared(library, `rollup:${parent.qname}`),
      category: 'FundamentalAccountingConceptRelation',
      pattern: 'RollUp',
      expression: `$${parent.name} = (${children.map((child, at) => term(child, variable(child.elementId).name, at)).join(' ')})`,
      variables: [parent, ...children.map(({ elementId }) => variable(elementId))],
      target: { kind: 'element', id: parentId },
    };
  });
}

function shared(library: ShippedFacts, name: string) {
  return {
    id: library.ruleId(name),
    structureId: null,
    name,
    checkKind: null,
    message: null,
    severity: 'error',
    origin: 'native',
    metadata: {},
  } as const;
}

function term({ weight }: WeightedChild, name: string, at: number): string {
  const [sign, size] = weight.startsWith('-') ? ['-', weight.slice(1)] : ['+', weight];
  const value = size === '1' ? `$${name}` : `${size} * $${name}`;
  if (at === 0) return sign === '-' ? `-${value}` : value;
  return `${sign} ${value}`;
}

/** A name that expressions take: the qname without its prefix. */
function localName(qname: string): string {
  const name = qname.slice(qname.indexOf(':') + 1).replace(/\W/g, '_');
  return /^\d/.test(name) ? `_${name}` : name;
}
