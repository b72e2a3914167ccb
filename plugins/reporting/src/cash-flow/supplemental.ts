/** Amounts of investing and financing that moved no cash, as concepts of the supplemental note (reporting S-16a). */
import type { Noncash } from './allocate-entry.ts';

const local = (name: string): string => `rs-gaap:${name}`;
const property = local('PaymentsToAcquirePropertyPlantAndEquipment');
const financeLease = local('FinanceLeasePrincipalPayments');
const stock = new Set(
  ['ProceedsFromIssuanceOfCommonStock', 'ProceedsFromIssuanceOfPreferredStockAndPreferenceStock'].map(local),
);
const debt = new Set(
  [
    'ProceedsFromRepaymentsOfShortTermDebt',
    'ProceedsFromLinesOfCredit',
    'RepaymentsOfLinesOfCredit',
    'ProceedsFromNotesPayable',
    'RepaymentsOfNotesPayable',
    'ProceedsFromConvertibleNotesPayable',
    'ProceedsFromIssuanceOfLongTermDebt',
    'RepaymentsOfLongTermDebt',
    'ProceedsFromRelatedPartyDebt',
    'RepaymentsOfRelatedPartyDebt',
  ].map(local),
);

/** By concept, positive; pairs without a concept of their own are left to the warnings. */
export function supplementalAmounts(noncash: readonly Noncash[]): ReadonlyMap<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const { leaf, against, amount } of noncash) {
    const concept = conceptOf(leaf.qname, against?.qname);
    if (concept !== undefined) amounts.set(concept, (amounts.get(concept) ?? 0n) + amount);
  }
  return amounts;
}

/** `against` is undefined where operating lines, such as an expense, carry the other side. */
function conceptOf(leaf: string, against: string | undefined): string | undefined {
  if (against === undefined) return stock.has(leaf) ? local('StockIssued1') : undefined;
  if (leaf === property && against === financeLease) {
    return local('RightOfUseAssetObtainedInExchangeForFinanceLeaseLiability');
  }
  if (leaf === property && debt.has(against)) return local('NoncashOrPartNoncashAcquisitionDebtAssumed1');
  if (leaf === property && stock.has(against)) return local('StockIssued1');
  if (debt.has(leaf) && stock.has(against)) return local('ConversionOfStockAmountIssued1');
  return undefined;
}
