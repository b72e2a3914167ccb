import type { Rule, RuleVariable } from '../models/rules.ts';

/** The library constants that shipped rules refer to. */
export interface ShippedFacts {
  /** The id of a concept of the US GAAP framework by its local name. Throws when it is not shipped. */
  elementId(localName: string): string;
  qnameOf(elementId: string): string;
  ruleId(name: string): string;
}

type VariableParts = Partial<Pick<RuleVariable, 'at' | 'structureType' | 'addendIds'>>;

/** The other lines of the roll-forward of equity, by the variable of R-5 that includes them. */
const issues = [
  'StockIssuedDuringPeriodValueStockOptionsExercised',
  'StockIssuedDuringPeriodValueShareBasedCompensation',
  'StockIssuedDuringPeriodValueConversionOfConvertibleSecurities',
  'AdjustmentsToAdditionalPaidInCapitalSharebasedCompensationRequisiteServicePeriodRecognitionValue',
];
const distributions = [
  'StockRepurchasedDuringPeriodValue',
  'AdjustmentsRelatedToTaxWithholdingForShareBasedCompensation',
  'DividendsPreferredStock',
  'MinorityInterestDecreaseFromDistributionsToNoncontrollingInterestHolders',
];
const otherChanges = [
  'NoncontrollingInterestIncreaseFromSaleOfParentEquityInterest',
  'AdjustmentsToAdditionalPaidInCapitalOther',
];

/** The rules that this plugin adds to the library, because no taxonomy arc can express their variables. */
export function shippedRules(library: ShippedFacts): readonly Rule[] {
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
  const addends = (names: readonly string[]) => ({ addendIds: names.map((name) => library.elementId(name)) });
  const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
  const cash = 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
  return [
    rule(
      'equity-roll-forward',
      'RollForward',
      '$EquityEnd = ($EquityBegin + $NetIncomeLoss + $StockIssued - $Dividends + $OtherEquityChanges)',
      [
        variable('EquityEnd', equity),
        variable('EquityBegin', equity, { at: 'begin' }),
        variable('NetIncomeLoss', 'ProfitLoss'),
        variable('StockIssued', 'StockIssuedDuringPeriodValueNewIssues', addends(issues)),
        variable('Dividends', 'DividendsCommonStock', addends(distributions)),
        variable('OtherEquityChanges', 'OtherComprehensiveIncomeLossNetOfTax', addends(otherChanges)),
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
