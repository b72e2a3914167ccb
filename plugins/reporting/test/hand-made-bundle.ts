import type {
  BundleConcept,
  BundleFact,
  BundleMember,
  BundlePeriod,
  BundleStructure,
  ReportBundle,
} from '../src/serialization/bundle/index.ts';
import { type NetworkSource, networkArcs, type SourceArc } from '../src/serialization/bundle/networks.ts';

const base = 'https://vocab.example.org';
const april: BundlePeriod = { start: '2026-04-01', end: '2026-04-30' };
const end: BundlePeriod = { instant: '2026-04-30' };
const opening: BundlePeriod = { instant: '2026-03-31' };

/** Text that would break a format that does not escape it. */
export const hostileText = '<script>alert("1")</script> & ]]> \u0001 =cmd|\' /C calc\'!A0 </span>';

function concept(qname: string, more: Partial<BundleConcept> = {}): BundleConcept {
  return {
    qname,
    label: qname.slice(qname.indexOf(':') + 1),
    documentation: null,
    elementType: 'concept',
    itemType: 'monetary',
    balance: null,
    periodType: 'duration',
    isAbstract: false,
    ...more,
  };
}

const heading = (qname: string): BundleConcept =>
  concept(qname, { elementType: 'abstract', itemType: null, isAbstract: true });

const concepts: readonly BundleConcept[] = [
  heading('ex:CashFlowAbstract'),
  concept('ex:NetChange'),
  concept('ex:NetIncome', { balance: 'credit' }),
  concept('ex:IncreaseInReceivables', { balance: 'credit' }),
  concept('ex:PaymentsOfDividends', { balance: 'credit' }),
  heading('ex:EquityAbstract'),
  concept('ex:Equity', { balance: 'credit', periodType: 'instant' }),
  concept('ex:StockIssued', { balance: 'credit' }),
  concept('ex:Dividends', { balance: 'debit' }),
  heading('ex:SalesAbstract'),
  concept('ex:Sales', { balance: 'credit', label: hostileText, documentation: hostileText }),
  concept('ex:RegionAxis', { elementType: 'axis', itemType: null, isAbstract: true }),
  concept('ex:North', { elementType: 'member', itemType: null }),
  concept('ex:South', { elementType: 'member', itemType: null }),
  concept('ex:OrderAxis', { elementType: 'axis', itemType: null, isAbstract: true }),
  concept('own:Policy', { itemType: 'text_block' }),
  concept('own:SharesIssued', { itemType: 'shares', periodType: 'instant' }),
  concept('own:Margin', { itemType: 'percent' }),
  concept('own:EarningsPerShare', { itemType: 'per_share' }),
];

let facts = 0;

function fact(
  name: string,
  period: BundlePeriod,
  value: string,
  factSetId: string,
  more: Partial<BundleFact> = {},
): BundleFact {
  facts += 1;
  return {
    id: `fact_${String(facts).padStart(3, '0')}`,
    concept: name,
    entityId: 'ent_1',
    period,
    value,
    unit: 'USD',
    decimals: '2',
    text: null,
    contentType: null,
    members: [],
    factSetIds: [factSetId],
    ...more,
  };
}

const region = (member: string): BundleMember => ({ axis: 'ex:RegionAxis', member, typedValue: null });
const order = (typedValue: string): BundleMember => ({ axis: 'ex:OrderAxis', member: null, typedValue });

const allFacts: readonly BundleFact[] = [
  fact('ex:NetChange', april, '2500.00', 'fs_cash'),
  fact('ex:NetIncome', april, '6500.00', 'fs_cash'),
  fact('ex:IncreaseInReceivables', april, '2000.00', 'fs_cash'),
  fact('ex:PaymentsOfDividends', april, '2000.00', 'fs_cash'),
  fact('ex:Equity', opening, '61550.00', 'fs_equity'),
  fact('ex:Equity', end, '64550.00', 'fs_equity'),
  fact('ex:StockIssued', april, '5000.00', 'fs_equity'),
  fact('ex:Dividends', april, '2000.00', 'fs_equity'),
  fact('ex:Sales', april, '90.50', 'fs_sales'),
  fact('ex:Sales', april, '60.25', 'fs_sales', { members: [region('ex:North')] }),
  fact('ex:Sales', april, '30.25', 'fs_sales', { members: [region('ex:South')] }),
  fact('ex:Sales', april, '1.00', 'fs_sales', { members: [order('A-1 <&>'), region('ex:North')] }),
  fact('own:Policy', april, '', 'fs_other', {
    value: null,
    unit: null,
    decimals: null,
    text: `# Policy\n\n${hostileText}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n`,
    contentType: 'text/markdown',
  }),
  fact('own:SharesIssued', end, '1000', 'fs_other', { unit: 'shares', decimals: 'INF' }),
  fact('own:Margin', april, '0.144444', 'fs_other', { unit: 'pure', decimals: '6' }),
  fact('own:EarningsPerShare', april, '6.50', 'fs_other', { unit: 'USD/shares' }),
];

const arc = (kind: string, from: string, to: string, place: number, weight: number | null = null): SourceArc => {
  return { kind, from, to, order: place, weight };
};

function structure(id: string, name: string, source: Pick<NetworkSource, 'blockType' | 'arcs' | 'rollForwards'>) {
  const reported = new Set(
    allFacts.filter(({ factSetIds }) => factSetIds.includes(`fs_${id}`)).map((own) => own.concept),
  );
  const isAbstract = (qname: string): boolean => concepts.some((own) => own.qname === qname && own.isAbstract);
  const made: BundleStructure = {
    id,
    name,
    blockType: source.blockType,
    conceptArrangement: null,
    arcs: networkArcs({ ...source, reported, isAbstract }),
    checks: [],
    failures: [],
    warnings: [],
  };
  return made;
}

const factSet = (id: string, structureId: string | null) => {
  return { id, structureId, origin: 'pivot', startedAt: '2026-05-04T10:00:00.000Z', agent: null, used: [] };
};

/**
 * A small report with everything that the shipped statements of a test do not have: a cash flow with reversed signs, a
 * roll-forward, facts with members and with typed values, texts, shares, percentages and facts without a statement.
 */
export const handMadeBundle: ReportBundle = {
  base,
  report: {
    id: 'rpt_1',
    generation: 1,
    name: `April & ${hostileText}`.slice(0, 100),
    style: null,
    filingStatus: 'draft',
    filedAt: null,
    supersedes: null,
  },
  entity: { id: 'ent_1', name: 'Ünïted <Tools> & Co.', scheme: `${base}/entity`, identifier: 'ent_1' },
  frameworks: [
    { prefix: 'ex', namespace: 'https://example.org/taxonomy' },
    { prefix: 'own', namespace: null },
  ],
  columns: [{ start: '2026-04-01', end: '2026-04-30', label: 'April' }],
  concepts: [...concepts].sort((a, b) => (a.qname < b.qname ? -1 : 1)),
  structures: [
    structure('cash', 'Cash Flow', {
      blockType: 'cash_flow_statement',
      rollForwards: new Map(),
      arcs: [
        arc('presentation', 'ex:CashFlowAbstract', 'ex:NetChange', 1),
        arc('presentation', 'ex:NetChange', 'ex:NetIncome', 1),
        arc('presentation', 'ex:NetChange', 'ex:IncreaseInReceivables', 2),
        arc('presentation', 'ex:NetChange', 'ex:PaymentsOfDividends', 3),
        arc('calculation', 'ex:NetChange', 'ex:NetIncome', 1, 1),
        arc('calculation', 'ex:NetChange', 'ex:IncreaseInReceivables', 2, -1),
        arc('calculation', 'ex:NetChange', 'ex:PaymentsOfDividends', 3, -1),
      ],
    }),
    structure('equity', 'Changes in Equity', {
      blockType: 'equity_statement',
      rollForwards: new Map([
        [
          'ex:Equity',
          new Map([
            ['ex:StockIssued', 1],
            ['ex:Dividends', -1],
          ]),
        ],
      ]),
      arcs: [
        arc('presentation', 'ex:EquityAbstract', 'ex:Equity', 1),
        arc('presentation', 'ex:Equity', 'ex:StockIssued', 1),
        arc('presentation', 'ex:Equity', 'ex:Dividends', 2),
      ],
    }),
    structure('sales', `Sales by <Region> ${hostileText}`, {
      blockType: 'regulatory_disclosure',
      rollForwards: new Map(),
      arcs: [arc('presentation', 'ex:SalesAbstract', 'ex:Sales', 1)],
    }),
  ],
  facts: allFacts,
  factSets: [
    factSet('fs_cash', 'cash'),
    factSet('fs_equity', 'equity'),
    factSet('fs_other', null),
    factSet('fs_sales', 'sales'),
  ],
  rules: [],
  results: [],
};
