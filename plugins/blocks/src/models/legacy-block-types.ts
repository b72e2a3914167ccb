/** Types that the block write unions list although other operations write them (reporting B-4). */
export const legacyBlockTypes = [
  'balance_sheet',
  'cash_flow_statement',
  'comprehensive_income',
  'equity_statement',
  'income_statement',
  'metric',
  'regulatory_disclosure',
] as const;
