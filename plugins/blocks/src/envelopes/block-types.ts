import { type Contribution, contribute } from '@pacioli/core';
import { type BlockType, blockTypes } from '../tokens.ts';

type TypeFacts = Omit<BlockType, 'key'>;

const statementWrites = { create: 'create-report', update: 'regenerate-report', remove: 'delete-report' } as const;
const taxonomyWrites = {
  create: 'create-taxonomy-block',
  update: 'update-taxonomy-block',
  remove: 'delete-taxonomy-block',
} as const;

const statementMechanics = sameForAll({
  kind: 'statement_renderer',
  template_id: null,
  rollup_root_element_ids: [],
  period_comparisons: 1,
});

function statement(displayName: string, displayPlural: string, icon: string, description: string): TypeFacts {
  return {
    displayName,
    displayPlural,
    category: 'Reporting',
    icon,
    description,
    mode: 'compositional',
    conceptArrangement: 'roll_up',
    memberArrangement: 'whole_part',
    surfacesInLibrary: true,
    factsShown: 'selected',
    hasSeries: true,
    scenarios: 'asked',
    instead: statementWrites,
    mechanics: statementMechanics,
  };
}

/** The types that need only the taxonomy and facts (B-3); other plugins contribute theirs. */
const types: Readonly<Record<string, TypeFacts>> = {
  balance_sheet: statement('Balance Sheet', 'Balance Sheets', 'scale', 'Assets, liabilities and equity at a date.'),
  income_statement: statement(
    'Income Statement',
    'Income Statements',
    'trending-up',
    'Revenue, expenses and net income over a period.',
  ),
  cash_flow_statement: statement(
    'Cash Flow Statement',
    'Cash Flow Statements',
    'banknote',
    'Cash receipts and payments over a period, by activity.',
  ),
  equity_statement: statement('Equity Statement', 'Equity Statements', 'users', 'Changes in equity over a period.'),
  comprehensive_income: statement(
    'Comprehensive Income',
    'Comprehensive Income Statements',
    'layers',
    'Net income and other comprehensive income over a period.',
  ),
  regulatory_disclosure: {
    displayName: 'Disclosure',
    displayPlural: 'Disclosures',
    category: 'Reporting',
    icon: 'file-text',
    description: 'A note to the statements, as text or as figures.',
    mode: 'compositional',
    conceptArrangement: null,
    memberArrangement: null,
    surfacesInLibrary: false,
    factsShown: 'selected',
    isListedOnlyWhenPresented: true,
    instead: taxonomyWrites,
    mechanics: statementMechanics,
  },
  metric: {
    displayName: 'Metrics',
    displayPlural: 'Metrics',
    category: 'Analysis',
    icon: 'gauge',
    description: 'Ratios and other figures computed from the statements.',
    mode: 'derivative',
    conceptArrangement: 'arithmetic',
    memberArrangement: null,
    surfacesInLibrary: false,
    factsShown: 'all-sets',
    scenarios: 'added',
    instead: {
      ...taxonomyWrites,
      create: 'create-taxonomy-block with Derive rules, then compute-metrics',
    },
    mechanics: sameForAll({
      kind: 'metric',
      source_block_ids: [],
      derivation_type: null,
      expression: null,
      unit: 'ratio',
    }),
  },
  reconciliation: {
    displayName: 'Reconciliation',
    displayPlural: 'Reconciliations',
    category: 'Close',
    icon: 'check-check',
    description: 'Compares a balance of the books with another source.',
    mode: 'derivative',
    conceptArrangement: 'set',
    memberArrangement: null,
    surfacesInLibrary: false,
    factsShown: 'selected',
    mechanics: statementMechanics,
  },
};

export const blockTypeContributions: readonly Contribution[] = Object.entries(types).map(([id, type]) =>
  contribute(blockTypes, id, { create: () => type }),
);

function sameForAll(mechanics: object): BlockType['mechanics'] {
  return async (_tx, structureIds) => new Map(structureIds.map((id) => [id, mechanics]));
}
