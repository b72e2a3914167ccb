import { describe, expect, it } from 'vitest';
import { operandsOf } from '../expressions/expression.ts';
import { parseRelation } from '../expressions/parse-expression.ts';
import { readShippedFrameworks } from './framework-files.ts';
import { libraryElementId } from './library.ts';
import { createLibraryCatalogue } from './library-catalogue.ts';
import type { StyleStatements } from './statements.ts';

const catalogue = createLibraryCatalogue(readShippedFrameworks());

function style(code?: string): StyleStatements {
  const found = catalogue.statements.ofStyle(code);
  if (found === undefined) throw new Error(`The style ${code} is not shipped.`);
  return found;
}

describe('the library rows', () => {
  it('have unique ids of every kind (taxonomy LB-4)', () => {
    const { taxonomies, elements, structures, associations, rules } = catalogue.rows;
    for (const rows of [taxonomies, elements, structures, associations, rules]) {
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    }
    expect(elements).toHaveLength(692);
    // Of the 22 published identities, 21 are sums and have arcs; each of these has two to five terms.
    expect(associations).toHaveLength(1078 + 900 + 60 + 140 + 113 + 53);
    expect(structures.filter(({ blockType }) => blockType === 'validation_rules')).toHaveLength(21);
  });

  it('say as rules what the arcs say, and what holds between statements (taxonomy 3.4)', () => {
    const { rules } = catalogue.rows;
    const totals = new Set(
      catalogue.frameworks.gaap.calculation.map(({ structure, total }) => `${structure} ${total}`),
    );
    const ofPattern = (pattern: string) => rules.filter(({ rulePattern }) => rulePattern === pattern);
    expect(ofPattern('RollUp')).toHaveLength(totals.size);
    expect(ofPattern('EqualTo')).toHaveLength(3 + 30);
    expect(ofPattern('Derive')).toHaveLength(50);
    expect(rules.find(({ name }) => name === 'RollUp: BS-classified: rs-gaap:Assets')?.expression).toBe(
      '$Assets = ($AssetsCurrent + $AssetsNoncurrent)',
    );
    for (const { expression, variables } of rules) {
      const { sign, left, right } = parseRelation(expression);
      expect(sign, expression).toBe('=');
      const names = new Set(operandsOf(left, right).map(({ name }) => name));
      expect([...names].sort()).toEqual(variables.map(({ variable_name }) => variable_name).sort());
    }
  });

  it('keep the ids that tenants store (taxonomy LB-4)', () => {
    expect(libraryElementId('rs-gaap:Assets')).toBe('77eb684d-20b3-5b41-acfa-fa2ac4dc5be2');
    expect(catalogue.structureByKey('BS-classified')?.id).toBe('e513fedd-b783-5264-bfbf-b1f6929746ca');
  });

  it('are found by the public name of the taxonomy, but not by a public name that does not exist (taxonomy LB-20)', () => {
    const assets = catalogue.elementByQname('rs-gaap:Assets');
    expect(catalogue.elementByQname('us-gaap:Assets')).toBe(assets);
    expect(catalogue.elementByQname('us-gaap-2024:Assets')).toBe(assets);
    expect(catalogue.elementByQname('rs-gaap:MembersEquityContributions')).toBeDefined();
    expect(catalogue.elementByQname('us-gaap:MembersEquityContributions')).toBeUndefined();
  });
});

describe('the statements of the default style', () => {
  it('print items before their total and headings before their lines', () => {
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

  it('give every total of every style the parts that it sums', () => {
    for (const { code } of catalogue.statements.styles) {
      const { balanceSheet, incomeStatement } = style(code);
      for (const row of [...balanceSheet.rows, ...incomeStatement.rows].filter(({ isTotal }) => isTotal)) {
        expect(row.calculation.length, `${code} ${row.qname}`).toBeGreaterThan(0);
      }
    }
  });

  it('carry the weights of the income statement', () => {
    const grossProfit = style().incomeStatement.rows.find(({ qname }) => qname === 'rs-gaap:GrossProfit');
    expect(grossProfit?.calculation).toEqual([
      expect.objectContaining({ qname: 'rs-gaap:Revenues', weight: 1 }),
      expect.objectContaining({ qname: 'rs-gaap:CostOfRevenue', weight: -1 }),
    ]);
  });

  it('refuse totals as targets and keep the coarse lines that charts use (taxonomy M-8, M-9)', () => {
    const { isRolledUp, leafOf } = style();
    for (const name of ['Assets', 'AssetsCurrent', 'Revenues', 'GrossProfit', 'NetIncomeLoss']) {
      expect(isRolledUp(`rs-gaap:${name}`), name).toBe(true);
      expect(leafOf(`rs-gaap:${name}`), name).toBeUndefined();
    }
    for (const name of ['ReceivablesNetCurrent', 'GeneralAndAdministrativeExpense', 'PropertyPlantAndEquipmentNet']) {
      expect(leafOf(`rs-gaap:${name}`), name).toEqual({ qname: `rs-gaap:${name}`, weight: 1, isDirect: true });
    }
  });

  it('let details flow into the line that shows them, with their sign (taxonomy M-9)', () => {
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

/** Every concept that a chart template of the ledger names (ledger 1.3), by the style of the legal form. */
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

describe('every concept that a chart template names', () => {
  it.each(['BSC-CORP-IS02-CF1', 'BSC-PART-IS02-CF1', 'BSC-LLC-IS02-CF1', 'BSC-CORP-IS01-CF1'])(
    'lands on a line of %s',
    (code) => {
      const { leafOf } = style(code);
      expect(templateConcepts.filter((name) => leafOf(`rs-gaap:${name}`) === undefined)).toEqual([]);
    },
  );

  it('lands on an equity line of its legal form', () => {
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

describe('reaching a root', () => {
  it('holds for every concept that a synonym points to (taxonomy M-17)', () => {
    const lost = catalogue.frameworks.gaap.synonyms.filter(({ concept }) => !catalogue.statements.reachesRoot(concept));
    expect(lost.map(({ concept }) => concept)).toEqual([]);
    expect(catalogue.statements.reachesRoot('rs-gaap:SubleaseIncome')).toBe(false);
  });
});
