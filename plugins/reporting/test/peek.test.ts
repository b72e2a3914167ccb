import { it } from 'vitest';
import { shippedLibrary, shippedStatements } from './shipped-statements.ts';

it('x', () => {
  const s = shippedStatements.ofStyle()!;
  for (const n of [
    'CashAndCashEquivalentsAtCarryingValue',
    'ReceivablesNetCurrent',
    'InventoryNet',
    'PrepaidExpenseCurrent',
    'PropertyPlantAndEquipmentGross',
    'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment',
    'AccountsPayableCurrent',
    'AccruedLiabilitiesCurrent',
    'LongTermDebtNoncurrent',
    'CommonStockValue',
    'RetainedEarningsAccumulatedDeficit',
    'PaymentsOfDividends',
    'Revenues',
    'CostOfRevenue',
    'LaborAndRelatedExpense',
    'RentExpense',
    'OperatingLeaseExpense',
    'GeneralInsuranceExpense',
    'DepreciationDepletionAndAmortization',
    'InterestExpense',
    'GainLossOnSaleOfPropertyPlantEquipment',
  ])
    console.log(n, JSON.stringify(s.leafOf('rs-gaap:' + n)), s.isRolledUp('rs-gaap:' + n));
  for (const r of s.incomeStatement.rows)
    console.log(
      '  '.repeat(r.depth) + r.qname,
      r.isTotal,
      r.balance,
      JSON.stringify(r.calculation.map((c) => c.weight + ' ' + c.qname.slice(8))),
    );
  for (const r of s.balanceSheet.rows)
    if (!r.isAbstract && r.calculation.length)
      console.log('  '.repeat(r.depth) + r.qname, r.isTotal, r.balance, r.calculation.length);
  console.log(Object.keys(shippedLibrary));
});
