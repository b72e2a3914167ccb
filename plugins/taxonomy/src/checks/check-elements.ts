import type { LibraryCatalog } from '../library/index.ts';
import {
  type Block,
  type BlockElement,
  type BlockIssue,
  balanceTypeOfTrait,
  elementTypes,
  issue,
  periodTypeOfTrait,
} from '../vocabulary/index.ts';

/** Finds the issues of one element by the rules of its block's type (taxonomy 2.2). */
export function elementIssues(element: BlockElement, block: Block, catalog: LibraryCatalog): readonly BlockIssue[] {
  const { qname, trait } = element;
  const issues = [...vocabularyIssues(element)];
  if (element.metadata['origin'] === 'library') {
    const message = `${qname} has the origin library, which only shipped elements may have.`;
    issues.push(issue('library_origin_respect', 'library_origin_smuggled', message, { qname }));
  }
  const isChart = block.taxonomyType === 'chart_of_accounts';
  if (block.taxonomyType === 'schedule') {
    issues.push(specific(qname, 'block_type_not_allowed', 'a schedule contains structures only, not elements.'));
  }
  const limit = element.metadata['no_negative'] ?? false;
  if (isChart && typeof limit !== 'boolean') {
    // Any other value would be stored without effect (ledger L-213).
    const message = `metadata.no_negative must be true or false, not ${JSON.stringify(limit).slice(0, 100)}.`;
    issues.push(specific(qname, 'coa_no_negative_invalid', message));
  }
  if (trait === null) {
    if (!isChart) return issues;
    const message = 'an account needs a trait, such as asset or expense.';
    return [...issues, specific(qname, 'coa_missing_classification', message)];
  }
  const isKnown = catalog.frameworks.traits.some(
    ({ category, identifier }) => category === 'elementsOfFinancialStatements' && identifier === trait,
  );
  if (!isKnown) return [...issues, specific(qname, 'unknown_trait', `the trait "${trait}" does not exist.`)];
  return isChart ? [...issues, ...accountIssues(element, trait)] : issues;
}

function specific(qname: string, code: string, message: string): BlockIssue {
  return issue('type_specific', code, `${qname}: ${message}`, { qname });
}

function vocabularyIssues({ qname, elementType, balanceType, periodType }: BlockElement): readonly BlockIssue[] {
  const issues: BlockIssue[] = [];
  if (!elementTypes.some((known) => known === elementType)) {
    const message = `the element type "${elementType}" is not one of ${elementTypes.join(', ')}.`;
    issues.push(specific(qname, 'invalid_element_type', message));
  }
  if (balanceType !== null && balanceType !== 'debit' && balanceType !== 'credit') {
    const message = `the balance type must be debit or credit, not "${balanceType}".`;
    issues.push(specific(qname, 'invalid_balance_type', message));
  }
  if (periodType !== null && periodType !== 'instant' && periodType !== 'duration') {
    const message = `the period type must be instant or duration, not "${periodType}".`;
    issues.push(specific(qname, 'invalid_period_type', message));
  }
  return issues;
}

function accountIssues(element: BlockElement, trait: string): readonly BlockIssue[] {
  const { qname, balanceType, periodType } = element;
  const issues: BlockIssue[] = [];
  const expected = periodTypeOfTrait(trait);
  const isFixed = expected === 'instant' || ['revenue', 'expense', 'gain', 'loss'].includes(trait);
  if (isFixed && periodType !== null && periodType !== expected) {
    const message = `an account of trait ${trait} must have the period type ${expected}.`;
    issues.push(specific(qname, 'coa_period_type_mismatch', message));
  }
  const hasNaturalSide = ['asset', 'liability', 'equity'].includes(trait) && element.metadata['contra'] !== true;
  const isSided = balanceType === 'debit' || balanceType === 'credit';
  if (hasNaturalSide && isSided && balanceType !== balanceTypeOfTrait(trait)) {
    const side = balanceTypeOfTrait(trait);
    const message = `an account of trait ${trait} must have a ${side} balance unless metadata.contra is true.`;
    issues.push(specific(qname, 'coa_balance_mismatch', message));
  }
  return issues;
}
