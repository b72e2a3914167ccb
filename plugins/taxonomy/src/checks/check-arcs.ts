import type { LibraryCatalog, LibraryElementRow } from '../library/index.ts';
import {
  type Block,
  type BlockArc,
  type BlockElement,
  type BlockIssue,
  type BlockStructure,
  issue,
  periodTypeOfTrait,
} from '../vocabulary/index.ts';
import { isMappable } from './candidates.ts';
import { storedBalance, storedPeriod } from './element-values.ts';

/** A concept that an account may be mapped to: of the framework, or of an extension that counts as part of it. */
export type MappingTarget = Pick<
  LibraryElementRow,
  'id' | 'qname' | 'name' | 'trait' | 'activityType' | 'periodType' | 'isAbstract' | 'isMonetary' | 'source'
>;

/** A concept of an extension, with the additional fields that candidates show. */
export interface ExtensionConcept extends MappingTarget {
  readonly liquidity: string | null;
  readonly balanceType: 'debit' | 'credit' | null;
  readonly taxonomyId: string;
}

export interface ArcSurroundings {
  readonly elements: ReadonlyMap<string, BlockElement>;
  /** By every reference: ids and names. */
  readonly structures: ReadonlyMap<string, BlockStructure>;
  readonly catalog: LibraryCatalog;
  readonly extensionConcepts: ReadonlyMap<string, MappingTarget>;
}

/** Finds the issues of one arc: mapping targets, weights and period types. */
export function arcIssues(arc: BlockArc, block: Block, surroundings: ArcSurroundings): readonly BlockIssue[] {
  const structure = surroundings.structures.get(arc.structureRef);
  if (structure === undefined) return [];
  const label = `The arc ${arc.from} → ${arc.to} of "${structure.name}"`;
  if (block.taxonomyType === 'schedule') {
    const message = `${label} is not allowed: a schedule contains structures only.`;
    return [issue('type_specific', 'block_type_not_allowed', message, { to: arc.to })];
  }
  if (arc.associationType === 'mapping') {
    return mappingIssues(arc, structure.blockType, label, surroundings);
  }
  // Taxonomy M-1; arcs stored earlier stay readable and editable.
  if (structure.blockType === 'coa_mapping' && arc.associationType !== 'equivalence' && arc.id === null) {
    const message = `${label} is of type ${arc.associationType}; a mapping has mapping and equivalence arcs only.`;
    return [issue('type_specific', 'block_type_not_allowed', message, { to: arc.to })];
  }
  const isChart = block.taxonomyType === 'chart_of_accounts';
  return arc.associationType === 'calculation'
    ? calculationIssues(arc, label, (qname) => sidesOf(qname, isChart, surroundings))
    : [];
}

function mappingIssues(
  arc: BlockArc,
  blockType: string,
  label: string,
  { elements, catalog, extensionConcepts }: ArcSurroundings,
): readonly BlockIssue[] {
  const specific = (code: string, message: string) => [
    issue('type_specific', code, `${label} ${message}`, { to: arc.to }),
  ];
  if (blockType !== 'coa_mapping') {
    return specific('block_type_not_allowed', 'maps an account outside of a coa_mapping structure.');
  }
  const source = elements.get(arc.from);
  const target = catalog.elementByQname(arc.to) ?? extensionConcepts.get(arc.to);
  if (source === undefined) return specific('source_not_account', 'does not start at an account of this chart.');
  if (target === undefined) return specific('target_not_mappable', 'does not lead to a concept of the framework.');
  const reason = targetProblem(target, source.trait, catalog);
  const wrongWeight = arc.weight !== null && arc.weight !== 1;
  return [
    ...(reason === undefined ? [] : specific(reason.code, reason.message)),
    // A stored arc of an account that was retired later stays; a new one is rejected (taxonomy 4.2, check 5).
    ...(arc.id === null && !source.isActive
      ? specific('source_inactive', 'starts at a retired account. Reactivate it before mapping it.')
      : []),
    // Taxonomy M-22: an account counts in full.
    ...(wrongWeight ? [issue('calculation_consistency', 'mapping_weight', `${label} must have the weight 1.`)] : []),
  ];
}

/**
 * The reason why an account of a trait cannot be mapped to a concept; undefined when it can (taxonomy 4.2, checks 8 and
 * 9).
 */
export function targetProblem(
  target: MappingTarget,
  trait: string | null,
  catalog: LibraryCatalog,
): { readonly code: string; readonly message: string } | undefined {
  if (catalog.statements.ofStyle()?.isRolledUp(target.qname) === true) {
    return {
      code: 'target_rolled_up',
      message: `leads to ${target.qname}, which is a total of the statements. Map to a line below it.`,
    };
  }
  if (!isMappable(target)) {
    return {
      code: 'target_not_mappable',
      message: `leads to ${target.qname}, which is not a monetary concept of the framework.`,
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
function isOwnerFlow(target: MappingTarget): boolean {
  return target.trait === 'distributionToOwners' || target.activityType === 'financingActivity';
}

interface Sides {
  readonly balance: string | null;
  readonly period: string;
}

function calculationIssues(
  arc: BlockArc,
  label: string,
  sidesAt: (qname: string) => Sides | undefined,
): readonly BlockIssue[] {
  const phase = 'calculation_consistency';
  // An arc without a weight adds, in every formula (taxonomy T-17).
  const weight = arc.weight ?? 1;
  if (weight === 0) return [issue(phase, 'zero_weight', `${label} has the weight 0.`)];
  const [total, item] = [sidesAt(arc.from), sidesAt(arc.to)];
  if (total === undefined || item === undefined) return [];
  const issues: BlockIssue[] = [];
  if (total.period !== item.period) {
    issues.push(issue(phase, 'calculation_period_mismatch', `${label} mixes period types.`));
  }
  // Equal sides add and opposite sides subtract; a concept without a side may do either (taxonomy T-41).
  if (total.balance !== null && item.balance !== null && weight > 0 !== (total.balance === item.balance)) {
    const message = `${label} has a weight that contradicts the sides of its ends.`;
    issues.push(issue(phase, 'weight_balance_conflict', message));
  }
  return issues;
}

function sidesOf(qname: string, isChart: boolean, { elements, catalog }: ArcSurroundings): Sides | undefined {
  const own = elements.get(qname);
  if (own !== undefined) {
    // An account without a trait has an unknown side; the missing trait is reported by another check.
    if (isChart && own.trait === null) return undefined;
    return { balance: storedBalance(own, isChart), period: storedPeriod(own, isChart) };
  }
  const shipped = catalog.elementByQname(qname);
  return shipped === undefined ? undefined : { balance: shipped.balanceType, period: shipped.periodType };
}
