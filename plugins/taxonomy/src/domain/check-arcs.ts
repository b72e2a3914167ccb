import { type BlockArc, type BlockElement, type BlockIssue, type BlockStructure, issue } from './block.ts';
import { isMappable } from './candidates.ts';
import type { LibraryElementRow } from './library.ts';
import type { LibraryCatalogue } from './library-catalogue.ts';
import { balanceTypeOfTrait, periodTypeOfTrait } from './vocabulary.ts';

/** What is wrong with one arc: mapping targets, weights and period types. */
export function arcIssues(
  arc: BlockArc,
  elements: ReadonlyMap<string, BlockElement>,
  structures: ReadonlyMap<string, BlockStructure>,
  catalogue: LibraryCatalogue,
): readonly BlockIssue[] {
  const structure = structures.get(arc.structureRef);
  if (structure === undefined) return [];
  const label = `The arc ${arc.from} → ${arc.to} of "${structure.name}"`;
  if (arc.associationType === 'mapping') return mappingIssues(arc, structure, label, elements, catalogue);
  return arc.associationType === 'calculation' ? calculationIssues(arc, label, elements, catalogue) : [];
}

function mappingIssues(
  arc: BlockArc,
  structure: BlockStructure,
  label: string,
  elements: ReadonlyMap<string, BlockElement>,
  catalogue: LibraryCatalogue,
): readonly BlockIssue[] {
  const specific = (code: string, message: string) => [
    issue('type_specific', code, `${label} ${message}`, { to: arc.to }),
  ];
  if (structure.blockType !== 'coa_mapping') {
    return specific('block_type_not_allowed', 'maps an account outside of a coa_mapping structure.');
  }
  const [source, target] = [elements.get(arc.from), catalogue.elementByQname(arc.to)];
  if (source === undefined) return specific('source_not_account', 'does not start at an account of this chart.');
  if (target === undefined) return specific('target_not_mappable', 'does not lead to a concept of the framework.');
  const reason = targetProblem(target, source.trait, catalogue);
  const wrongWeight = arc.weight !== null && arc.weight !== 1;
  return [
    ...(reason === undefined ? [] : specific(reason.code, reason.message)),
    // Taxonomy M-22: an account counts in full.
    ...(wrongWeight ? [issue('calculation_consistency', 'mapping_weight', `${label} must have the weight 1.`)] : []),
  ];
}

/** Why an account of a trait cannot be mapped to a concept; undefined when it can (taxonomy 4.2 checks 8 and 9). */
export function targetProblem(
  target: LibraryElementRow,
  trait: string | null,
  catalogue: LibraryCatalogue,
): { readonly code: string; readonly message: string } | undefined {
  if (catalogue.statements.ofStyle()?.isRolledUp(target.qname) === true) {
    return {
      code: 'target_rolled_up',
      message: `leads to ${target.qname}, which is a total of the statements. Map to a line below it.`,
    };
  }
  if (!isMappable(target)) {
    return {
      code: 'target_not_mappable',
      message: `leads to ${target.qname}, which is no monetary concept of the framework.`,
    };
  }
  if (trait === null || periodTypeOfTrait(trait) === target.periodType) return undefined;
  // Distributions to owners are kept as contra-equity balances and reported as flows (taxonomy 4.6, 4).
  if (trait === 'contraEquity' && isOwnerFlow(target)) return undefined;
  return {
    code: 'period_type_mismatch',
    message: `joins a ${periodTypeOfTrait(trait)} account and ${target.qname}, a ${target.periodType}.`,
  };
}

/** Dividends and repurchases are lines of the cash flow, distributions are changes of equity (reporting S-8). */
function isOwnerFlow(target: LibraryElementRow): boolean {
  return target.trait === 'distributionToOwners' || target.activityType === 'financingActivity';
}

function calculationIssues(
  arc: BlockArc,
  label: string,
  elements: ReadonlyMap<string, BlockElement>,
  catalogue: LibraryCatalogue,
): readonly BlockIssue[] {
  const [total, item] = [sidesOf(arc.from, elements, catalogue), sidesOf(arc.to, elements, catalogue)];
  if (total === undefined || item === undefined) return [];
  const phase = 'calculation_consistency';
  const weight = arc.weight ?? 1; // Taxonomy T-17.
  if (weight === 0) return [issue(phase, 'zero_weight', `${label} has the weight 0.`)];
  const issues: BlockIssue[] = [];
  if (total.period !== item.period)
    issues.push(issue(phase, 'calculation_period_mismatch', `${label} mixes period types.`));
  if (total.balance !== null && item.balance !== null && weight > 0 !== (total.balance === item.balance)) {
    issues.push(
      issue(phase, 'weight_balance_conflict', `${label} has a weight that contradicts the sides of its ends.`),
    );
  }
  return issues;
}

function sidesOf(qname: string, elements: ReadonlyMap<string, BlockElement>, catalogue: LibraryCatalogue) {
  const own = elements.get(qname);
  if (own === undefined) {
    const shipped = catalogue.elementByQname(qname);
    return shipped === undefined ? undefined : { balance: shipped.balanceType, period: shipped.periodType };
  }
  if (own.trait === null) return undefined;
  return {
    balance: own.balanceType ?? balanceTypeOfTrait(own.trait),
    period: own.periodType ?? periodTypeOfTrait(own.trait),
  };
}
