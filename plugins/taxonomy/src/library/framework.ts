import { type CsvRow, normalizedWords, parseCsv } from '../values/index.ts';
import type {
  BalanceType,
  CuratedGaap,
  FrameworkElement,
  FrameworkStructure,
  Frameworks,
  FundamentalConcepts,
  PeriodType,
} from '../vocabulary/index.ts';

/** The prefix of the curated US GAAP concepts on the wire (taxonomy LB-20). */
export const gaapPrefix = 'rs-gaap';
export const facPrefix = 'fac';
/** The prefix of the shipped metrics (reporting M-2). */
export const metricPrefix = 'rs-metric';
/** The prefix of the shipped drivers of forecasts (reporting 10.2). */
export const driverPrefix = 'rs-driver';

/** Role URIs are `{base}/{slug}`. The base never changes: structure ids are made from it (taxonomy LB-4). */
export const roleBase = 'urn:pacioli:framework';

/** Every file of the frameworks, relative to the data folder. */
export const frameworkFileNames = [
  'fac/elements.csv',
  'fac/identities.csv',
  'fac/imputation.csv',
  'fac/traits.csv',
  'us-gaap/calculation.csv',
  'us-gaap/cash-flow-derivation.csv',
  'us-gaap/crosswalk.csv',
  'us-gaap/drivers.csv',
  'us-gaap/elements.csv',
  'us-gaap/equity-changes.csv',
  'us-gaap/mapping-catch-all.csv',
  'us-gaap/mapping-synonyms.csv',
  'us-gaap/mapping-abbreviations.csv',
  'us-gaap/mapping-priors.csv',
  'us-gaap/metrics.csv',
  'us-gaap/noncash-items.csv',
  'us-gaap/presentation.csv',
  'us-gaap/retired.csv',
  'us-gaap/reporting-styles.csv',
  'us-gaap/roll-forward.csv',
  'us-gaap/structures.csv',
] as const;

export type FrameworkFileName = (typeof frameworkFileNames)[number];
export type FrameworkFiles = Readonly<Record<FrameworkFileName, string>>;

/** Parses both frameworks from the texts of their files; throws with file and value when a cell is invalid. */
export function parseFrameworks(files: FrameworkFiles): Frameworks {
  return {
    traits: rowsOf(files, 'fac/traits.csv', (cell) => ({ category: cell('category'), identifier: cell('identifier') })),
    fac: parseFundamentals(files),
    gaap: parseGaap(files),
  };
}

function parseFundamentals(files: FrameworkFiles): FundamentalConcepts {
  return {
    elements: rowsOf(files, 'fac/elements.csv', (cell) => ({
      ...elementCells(cell, facPrefix),
      isAbstract: false,
      trait: null,
      liquidity: null,
      activity: null,
      isExtension: cell('tier') === 'extended',
      nameVerified: cell('tier') === 'core',
      balanceChecked: false,
    })),
    identities: rowsOf(files, 'fac/identities.csv', (cell) => ({
      id: cell('id'),
      left: cell('left'),
      operator: cell('operator'),
      right: cell('right'),
      appliesWhen: cell('applies_when'),
    })),
    imputation: rowsOf(files, 'fac/imputation.csv', (cell) => ({
      order: numberOf(cell('order')),
      target: cell('target'),
      requires: cell('requires').split('|'),
      formula: cell('formula'),
    })),
  };
}

function parseGaap(files: FrameworkFiles): CuratedGaap {
  const concept = (name: string) => `${gaapPrefix}:${name}`;
  return {
    elements: rowsOf(files, 'us-gaap/elements.csv', gaapElement),
    structures: rowsOf(files, 'us-gaap/structures.csv', gaapStructure),
    ...parseArcs(files, concept),
    styles: rowsOf(files, 'us-gaap/reporting-styles.csv', (cell) => ({
      code: cell('code'),
      name: cell('name'),
      balanceSheet: cell('balance_sheet'),
      incomeStatement: cell('income_statement'),
      cashFlowStatement: cell('cash_flow_statement'),
      equityStatement: cell('equity_statement'),
      comprehensiveIncome: cell('comprehensive_income'),
      retainedEarnings: concept(cell('retained_earnings')),
      defaultFor: textOrNull(cell('default_for')),
    })),
    crosswalk: rowsOf(files, 'us-gaap/crosswalk.csv', (cell) => ({
      fac: `${facPrefix}:${cell('fac')}`,
      usGaap: concept(cell('us_gaap')),
      priority: numberOf(cell('priority')),
    })),
    ...parseCashFlowTables(files, concept),
    metrics: rowsOf(files, 'us-gaap/metrics.csv', (cell) => ({
      element: { ...elementCells(cell, metricPrefix), ...derivedFacts },
      formula: cell('formula'),
    })),
    drivers: rowsOf(files, 'us-gaap/drivers.csv', (cell) => ({
      element: { ...elementCells(cell, driverPrefix), ...derivedFacts },
      drives: cell('drives'),
      formula: cell('formula'),
    })),
    retired: rowsOf(files, 'us-gaap/retired.csv', (cell) => ({
      qname: concept(cell('name')),
      replacedBy: concept(cell('replaced_by')),
    })),
    catchAlls: rowsOf(files, 'us-gaap/mapping-catch-all.csv', (cell) => ({
      trait: cell('trait'),
      liquidity: textOrNull(cell('liquidity')),
      concept: concept(cell('concept')),
    })),
    synonyms: rowsOf(files, 'us-gaap/mapping-synonyms.csv', (cell) => ({
      words: cell('pattern').split(' '),
      trait: cell('trait'),
      concept: concept(cell('concept')),
      baseScore: numberOf(cell('base_score')),
      isExact: cell('exact') === 'y',
    })),
    abbreviations: rowsOf(files, 'us-gaap/mapping-abbreviations.csv', (cell) => ({
      short: normalizedWords(cell('short')),
      words: normalizedWords(cell('words')),
      trait: textOrNull(cell('trait')),
    })),
    priors: rowsOf(files, 'us-gaap/mapping-priors.csv', (cell) => ({
      concept: concept(cell('concept')),
      share: numberOf(cell('share')),
    })),
  };
}

function parseCashFlowTables(
  files: FrameworkFiles,
  concept: (name: string) => string,
): Pick<CuratedGaap, 'cashFlowDerivation' | 'noncashItems' | 'equityChanges'> {
  return {
    cashFlowDerivation: rowsOf(files, 'us-gaap/cash-flow-derivation.csv', (cell) => ({
      balanceSheetConcept: concept(cell('balance_sheet_concept')),
      cashFlowConcept: concept(cell('cash_flow_concept')),
      section: cell('section'),
      weight: numberOf(cell('weight')),
    })),
    noncashItems: rowsOf(files, 'us-gaap/noncash-items.csv', (cell) => ({
      incomeConcept: concept(cell('income_concept')),
      cashFlowConcept: concept(cell('cash_flow_concept')),
      absorbedBy: cell('absorbed_by').split('|').map(concept),
    })),
    equityChanges: rowsOf(files, 'us-gaap/equity-changes.csv', (cell) => ({
      form: cell('form'),
      equityConcept: concept(cell('equity_concept')),
      increase: concept(cell('increase')),
      decrease: concept(cell('decrease')),
    })),
  };
}

function parseArcs(
  files: FrameworkFiles,
  concept: (name: string) => string,
): Pick<CuratedGaap, 'presentation' | 'calculation' | 'rollForward'> {
  return {
    presentation: rowsOf(files, 'us-gaap/presentation.csv', (cell) => ({
      structure: cell('structure'),
      parent: concept(cell('parent')),
      child: concept(cell('child')),
      order: numberOf(cell('order')),
    })),
    calculation: rowsOf(files, 'us-gaap/calculation.csv', (cell) => ({
      structure: cell('structure'),
      total: concept(cell('total')),
      item: concept(cell('item')),
      weight: numberOf(cell('weight')),
      order: numberOf(cell('order')),
    })),
    rollForward: rowsOf(files, 'us-gaap/roll-forward.csv', (cell) => ({
      structure: cell('structure'),
      balanceConcept: concept(cell('balance_concept')),
      changeConcept: concept(cell('change_concept')),
      sign: numberOf(cell('sign')),
      order: numberOf(cell('order')),
    })),
  };
}

type Cell = (name: string) => string;

function gaapElement(cell: Cell): FrameworkElement {
  return {
    ...elementCells(cell, gaapPrefix),
    isAbstract: cell('abstract') === 'true',
    trait: textOrNull(cell('trait')),
    liquidity: textOrNull(cell('liquidity')),
    activity: textOrNull(cell('activity')),
    isExtension: cell('extension') === 'y',
    nameVerified: cell('name_verified') === 'y',
    balanceChecked: cell('balance_checked') === 'y',
  };
}

/** Metrics and drivers are never mapped to, and not in the public taxonomy. */
const derivedFacts = {
  isAbstract: false,
  trait: 'metric',
  liquidity: null,
  activity: null,
  isExtension: true,
  nameVerified: false,
  balanceChecked: false,
} as const;

function gaapStructure(cell: Cell): FrameworkStructure {
  return {
    key: cell('structure'),
    name: cell('name'),
    blockType: cell('block_type'),
    conceptArrangement: cell('concept_arrangement'),
    roleUri: `${roleBase}/${cell('role_slug')}`,
  };
}

function elementCells(cell: Cell, prefix: string) {
  const itemType = textOrNull(cell('type'));
  return {
    qname: `${prefix}:${cell('name')}`,
    localName: cell('name'),
    label: cell('label'),
    itemType,
    balance: balanceOf(cell('balance')),
    period: periodOf(cell('period')),
    isMonetary: itemType === 'monetary',
  };
}

function rowsOf<T>(files: FrameworkFiles, fileName: FrameworkFileName, read: (cell: Cell) => T): readonly T[] {
  return parseCsv(files[fileName], fileName).map((row: CsvRow, index) => {
    try {
      return read((name) => {
        const value = row[name];
        if (value === undefined) throw new Error(`column "${name}" is missing`);
        return value;
      });
    } catch (cause) {
      throw new Error(`${fileName}, row ${index + 2}: ${cause instanceof Error ? cause.message : 'unreadable'}.`, {
        cause,
      });
    }
  });
}

function textOrNull(value: string): string | null {
  return value === '' ? null : value;
}

function numberOf(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) throw new Error(`"${value}" is not a number`);
  return number;
}

function balanceOf(value: string): BalanceType | null {
  if (value === '' || value === 'debit' || value === 'credit') return value === '' ? null : value;
  throw new Error(`"${value}" is not debit, credit or empty`);
}

function periodOf(value: string): PeriodType {
  if (value === 'instant' || value === 'duration') return value;
  throw new Error(`"${value}" is not instant or duration`);
}
