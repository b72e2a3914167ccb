import { describe, expect, it } from 'vitest';
import { operandsOf } from '../expressions/expression.ts';
import { parseRelation } from '../expressions/parse-expression.ts';
import { readShippedFrameworks } from './framework-files.ts';
import { libraryElementId } from './library.ts';
import { createLibraryCatalog } from './library-catalog.ts';
import type { StyleStatements } from './statements.ts';

const catalog = createLibraryCatalog(readShippedFrameworks());

function style(code?: string): StyleStatements {
  const found = catalog.statements.ofStyle(code);
  if (found === undefined) throw new Error(`The style ${code} is not shipped.`);
  return found;
}

describe('library rows', () => {
  it('gives every library row a unique id (taxonomy LB-4)', () => {
    const { taxonomies, elements, structures, associations, rules } = catalog.rows;
    for (const rows of [taxonomies, elements, structures, associations, rules]) {
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    }
    expect(elements).toHaveLength(581 + 111 + 11 + 5);
    // Of the 22 published identities, 21 are sums and have arcs; each of these has two to five terms.
    expect(associations).toHaveLength(1092 + 914 + 60 + 140 + 113 + 53 + 10 + 4);
    expect(structures.filter(({ blockType }) => blockType === 'validation_rules')).toHaveLength(21);
  });

  it('expresses the arcs and the relations between statements as rules (taxonomy 3.4)', () => {
    const { rules } = catalog.rows;
    const totals = new Set(catalog.frameworks.gaap.calculation.map(({ structure, total }) => `${structure} ${total}`));
    const ofPattern = (pattern: string) => rules.filter(({ rulePattern }) => rulePattern === pattern);
    expect(ofPattern('RollUp')).toHaveLength(totals.size);
    expect(ofPattern('EqualTo')).toHaveLength(3 + 30);
    expect(ofPattern('Derive')).toHaveLength(50 + 10 + 4);
    expect(rules.find(({ name }) => name === 'RollUp: BS-classified: rs-gaap:Assets')?.expression).toBe(
      '$Assets = ($AssetsCurrent + $AssetsNoncurrent)',
    );
    for (const { expression, variables } of rules) {
      const { sign, left, right } = parseRelation(expression, { hasAverage: true, hasPrevious: true });
      expect(sign, expression).toBe('=');
      const names = new Set(operandsOf(left, right).map(({ name }) => name));
      expect([...names].sort()).toEqual(variables.map(({ variable_name }) => variable_name).sort());
    }
  });

  it('keeps the ids that tenants store (taxonomy LB-4)', () => {
    expect(libraryElementId('rs-gaap:Assets')).toBe('77eb684d-20b3-5b41-acfa-fa2ac4dc5be2');
    expect(catalog.structureByKey('BS-classified')?.id).toBe('e513fedd-b783-5264-bfbf-b1f6929746ca');
  });

  it('finds an element by its public name, and none by a public name that does not exist (taxonomy LB-20)', () => {
    const assets = catalog.elementByQname('rs-gaap:Assets');
    expect(catalog.elementByQname('us-gaap:Assets')).toBe(assets);
    expect(catalog.elementByQname('us-gaap-2024:Assets')).toBe(assets);
    expect(catalog.elementByQname('rs-gaap:MembersEquityContributions')).toBeDefined();
    expect(catalog.elementByQname('us-gaap:MembersEquityContributions')).toBeUndefined();
  });
});

describe('statements of the default style', () => {
  it('lists items before their total and headings before their lines', () => {
    const { rows } = style().balanceSheet;
    const place = (name: string) => rows.findIndex(({ qname }) => qname === `rs-gaap:${name}`);
    expect(rows[0]).toMatchObject({ isAbstract: true, depth: 0, parentQname: null });
    expect(place('CashAndCashEquivalentsAtCarryingValue')).toBeLessThan(place('AssetsCurrent'));
    expect(place('AssetsCurrent')).toBeLessThan(place('Assets'));
    expect(rows[place('AssetsCurrent')]).toMatchObject({
      isTotal: true,
      depth: 2,
      balance: 'debit',
      period: 'instant',
    });
  });

  it('gives every total of every style its contributions', () => {
    for (const { code } of catalog.statements.styles) {
      const { balanceSheet, incomeStatement } = style(code);
      for (const row of [...balanceSheet.rows, ...incomeStatement.rows].filter(({ isTotal }) => isTotal)) {
        expect(row.calculation.length, `${code} ${row.qname}`).toBeGreaterThan(0);
      }
    }
  });

  it('uses the weights of the income statement', () => {
    const grossProfit = style().incomeStatement.rows.find(({ qname }) => qname === 'rs-gaap:GrossProfit');
    expect(grossProfit?.calculation).toEqual([
      expect.objectContaining({ qname: 'rs-gaap:Revenues', weight: 1 }),
      expect.objectContaining({ qname: 'rs-gaap:CostOfRevenue', weight: -1 }),
    ]);
  });

  it('rejects totals as mapping targets and keeps the coarse lines that charts use (taxonomy M-8, M-9)', () => {
    const { isRolledUp, leafOf } = style();
    for (const name of ['Assets', 'AssetsCurrent', 'Revenues', 'GrossProfit', 'NetIncomeLoss']) {
      expect(isRolledUp(`rs-gaap:${name}`), name).toBe(true);
      expect(leafOf(`rs-gaap:${name}`), name).toBeUndefined();
    }
    for (const name of ['ReceivablesNetCurrent', 'GeneralAndAdministrativeExpense', 'PropertyPlantAndEquipmentNet']) {
      expect(leafOf(`rs-gaap:${name}`), name).toEqual({ qname: `rs-gaap:${name}`, weight: 1, isDirect: true });
    }
  });

  it('attributes details to the line that shows them, with their sign (taxonomy M-9)', () => {
    const { leafOf } = style();
    const net = 'rs-gaap:PropertyPlantAndEquipmentNet';
    expect(leafOf('rs-gaap:PropertyPlantAndEquipmentGross')).toEqual({ qname: net, weight: 1, isDirect: false });
    expect(leafOf('rs-gaap:AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment')).toEqual({
      qname: net,
      weight: -1,
      isDirect: false,
    });
    for (const name of [
      'AllocatedShareBasedCompensationExpense',
      'ProvisionForDoubtfulAccounts',
      'LaborAndRelatedExpense',
    ]) {
      const leaf = leafOf(`rs-gaap:${name}`);
      expect(leaf, name).toEqual({ qname: 'rs-gaap:GeneralAndAdministrativeExpense', weight: 1, isDirect: false });
    }
    expect(leafOf('rs-gaap:AccountsReceivableNetCurrent')?.qname).toBe('rs-gaap:ReceivablesNetCurrent');
  });
});

describe('the cash flow sources of a style', () => {
  const leavesOf = (name: string) =>
    style()
      .cashFlowSources.homesOf(`rs-gaap:${name}`)
      .map(({ cashFlowConcept }) => cashFlowConcept.replace('rs-gaap:', ''));

  it('give a concept its own homes or those of the nearest total above it (taxonomy-data 5, reporting S-12b)', () => {
    expect(leavesOf('PropertyPlantAndEquipmentGross')).toEqual([
      'PaymentsToAcquirePropertyPlantAndEquipment',
      'ProceedsFromSaleOfPropertyPlantAndEquipment',
    ]);
    expect(leavesOf('FiniteLivedIntangibleAssetsGross')).toEqual(['PaymentsToAcquireIntangibleAssets']);
    expect(leavesOf('Assets')).toEqual([]);
  });

  it('tell cash from other assets, and give cash no home (reporting S-12)', () => {
    const { isCash } = style().cashFlowSources;
    for (const name of ['CashAndCashEquivalentsAtCarryingValue', 'RestrictedCashNoncurrent']) {
      expect([isCash(`rs-gaap:${name}`), leavesOf(name)], name).toEqual([true, []]);
    }
    expect(isCash('rs-gaap:ShortTermInvestments')).toBe(false);
    expect(isCash('rs-gaap:AssetsCurrent')).toBe(false);
  });

  it('name the equity changes of the legal form (taxonomy-data 5.3)', () => {
    const decreaseOf = (code: string, name: string) =>
      style(code).cashFlowSources.equityChangeOf(`rs-gaap:${name}`)?.decrease.replace('rs-gaap:', '');
    expect(decreaseOf('BSC-LLC-IS02-CF1', 'MembersEquity')).toBe('MembersEquityDistributions');
    expect(decreaseOf('BSC-CORP-IS02-CF1', 'RetainedEarningsAccumulatedDeficit')).toBe('DividendsCommonStock');
    expect(decreaseOf('BSC-CORP-IS02-CF1', 'MembersEquity')).toBeUndefined();
  });
});

/** Every concept that a chart template of the ledger names (ledger 1.3). */
const templateConcepts = `AccountsPayableCurrent AccountsReceivableNetCurrent AccruedLiabilitiesCurrent
  AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment CapitalizedComputerSoftwareGross
  CapitalizedComputerSoftwareNet CapitalizedContractCostNetCurrent CapitalizedContractCostNetNoncurrent
  CashAndCashEquivalentsAtCarryingValue ContractWithCustomerAssetNetCurrent ContractWithCustomerLiabilityCurrent
  ContractWithCustomerLiabilityNoncurrent ConvertibleLongTermNotesPayable CostOfGoodsAndServicesSold
  DepreciationDepletionAndAmortization EmployeeRelatedLiabilitiesCurrent GainLossOnDispositionOfAssets
  GeneralAndAdministrativeExpense IncomeTaxExpenseBenefit InterestExpense InventoryNet InvestmentIncomeInterest
  LaborAndRelatedExpense LongTermDebtNoncurrent LongTermInvestments OperatingLeaseExpense OtherAssetsCurrent
  OtherAssetsNoncurrent PrepaidExpenseCurrent ProfessionalFees PropertyPlantAndEquipmentGross
  ProvisionForDoubtfulAccounts ResearchAndDevelopmentExpense RevenueFromContractWithCustomerExcludingAssessedTax
  SalesAndExciseTaxPayableCurrent SellingAndMarketingExpense AllocatedShareBasedCompensationExpense ShortTermBorrowings`.split(
  /\s+/,
);

describe('concepts of the chart templates', () => {
  it.each(['BSC-CORP-IS02-CF1', 'BSC-PART-IS02-CF1', 'BSC-LLC-IS02-CF1', 'BSC-CORP-IS01-CF1'])(
    'shows every concept of the chart templates on a line of %s',
    (code) => {
      const { leafOf } = style(code);
      expect(templateConcepts.filter((name) => leafOf(`rs-gaap:${name}`) === undefined)).toEqual([]);
    },
  );

  it('shows every equity concept of the chart templates on a line of its legal form', () => {
    expect(style('BSC-PART-IS02-CF1').leafOf('rs-gaap:PartnersCapital')?.isDirect).toBe(true);
    expect(style('BSC-LLC-IS02-CF1').leafOf('rs-gaap:MembersEquity')?.isDirect).toBe(true);
    for (const name of [
      'CommonStockValue',
      'AdditionalPaidInCapital',
      'RetainedEarningsAccumulatedDeficit',
      'TreasuryStockValue',
      'PaymentsOfDividends',
    ]) {
      expect(style().leafOf(`rs-gaap:${name}`)?.isDirect, name).toBe(true);
    }
  });
});

describe('reachesRoot', () => {
  it('reaches a root from every concept that a synonym points to (taxonomy M-17)', () => {
    const lost = catalog.frameworks.gaap.synonyms.filter(({ concept }) => !catalog.statements.reachesRoot(concept));
    expect(lost.map(({ concept }) => concept)).toEqual([]);
    expect(catalog.statements.reachesRoot('rs-gaap:SubleaseIncome')).toBe(false);
  });
});
