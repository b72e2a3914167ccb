import { ExpressionError, type ExpressionFeatures, operandsOf, parseRelationOrValue } from '../expressions/index.ts';
import {
  type Block,
  type BlockElement,
  type BlockIssue,
  type BlockRule,
  issue,
  structuresByRef,
} from '../vocabulary/index.ts';

/** What a pattern's expression may have beyond plain arithmetic (reporting R-7). */
const featuresOfPattern: ReadonlyMap<string, ExpressionFeatures> = new Map([
  ['CoExists', { labels: ['exists'] }],
  ['Derive', { hasAverage: true, hasPrevious: true }],
  ['Exists', { labels: ['exists'] }],
  ['SumEquals', { labels: ['sum'] }],
]);
/** Patterns whose expression need not compare: presence has no sides, and zero is implied. */
const barePatterns = new Set(['CoExists', 'Exists', 'GreaterThanOrEqualToZero']);

/** What is wrong with the rules that people wrote (taxonomy 2.2); rules of the system are not looked at. */
export function ruleIssues(
  block: Block,
  elements: ReadonlyMap<string, BlockElement>,
  isShipped: (qname: string) => boolean,
): readonly BlockIssue[] {
  const structures = structuresByRef(block.structures);
  const isElement = (qname: string) => elements.has(qname) || isShipped(qname);
  return block.rules
    .filter(({ origin }) => origin !== 'auto')
    .flatMap((rule) => [
      ...scheduleIssues(block, rule),
      ...targetIssues(rule, (ref) => structures.has(ref), isElement),
      ...variableIssues(rule, isElement),
      ...expressionIssues(rule),
    ]);
}

function scheduleIssues(block: Block, rule: BlockRule): readonly BlockIssue[] {
  if (block.taxonomyType !== 'schedule') return [];
  const message = `"${rule.name}": a schedule holds structures and no rules of its own.`;
  return [issue('type_specific', 'block_type_not_allowed', message, { rule: rule.name })];
}

function targetIssues(
  rule: BlockRule,
  isStructure: (ref: string) => boolean,
  isElement: (qname: string) => boolean,
): readonly BlockIssue[] {
  const context = { rule: rule.name };
  const missing = rule.targets.flatMap(({ kind, ref }) => {
    const phase = 'reference_resolution';
    if (kind === 'structure' && !isStructure(ref)) {
      const message = `The rule "${rule.name}" targets the structure ${ref}, which is not in this block.`;
      return [issue(phase, 'phantom_rule_target_structure', message, context)];
    }
    if (kind === 'element' && !isElement(ref)) {
      const message = `The rule "${rule.name}" targets ${ref}, which does not exist.`;
      return [issue(phase, 'phantom_rule_target_element', message, context)];
    }
    return [];
  });
  if (rule.targets.length <= 1) return missing;
  const message = `The rule "${rule.name}" has more than one target; give one of structure, element and taxonomy.`;
  return [...missing, issue('rule_expression_parse', 'rule_target_conflict', message, context)];
}

function variableIssues(rule: BlockRule, isElement: (qname: string) => boolean): readonly BlockIssue[] {
  const context = { rule: rule.name };
  const unknown = rule.variables
    .filter(({ qname }) => !isElement(qname))
    .map(({ name, qname }) => {
      const message = `The variable $${name} of "${rule.name}" names ${qname || 'no element'}, which does not exist.`;
      return issue('reference_resolution', 'phantom_rule_variable', message, context);
    });
  const names = rule.variables.map(({ name }) => name);
  const doubled = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map((name) => {
    const message = `The rule "${rule.name}" has the variable $${name} twice.`;
    return issue('rule_expression_parse', 'duplicate_variable_name', message, context);
  });
  return [...unknown, ...doubled];
}

function expressionIssues(rule: BlockRule): readonly BlockIssue[] {
  const context = { rule: rule.name };
  const unreadable = (reason: string) => [
    issue('rule_expression_parse', 'unparseable_expression', `The expression of "${rule.name}" ${reason}.`, context),
  ];
  const parsed = readExpression(rule);
  if (typeof parsed === 'string') return unreadable(`cannot be read: ${parsed}`);
  if (parsed.sign === undefined && !barePatterns.has(rule.pattern ?? '')) {
    return unreadable('compares nothing; write it as left = right');
  }
  const declared = new Set(rule.variables.map(({ name }) => name));
  const names = operandsOf(...(parsed.sign === undefined ? [parsed.left] : [parsed.left, parsed.right]));
  const unbound = new Set(names.map(({ name }) => name).filter((name) => !declared.has(name)));
  if (unbound.size > 0) {
    return unreadable(`uses ${[...unbound].map((name) => `$${name}`).join(', ')} without declaring it`);
  }
  const left = parsed.left.kind === 'variable' ? parsed.left.name : undefined;
  if (rule.pattern !== 'RollUp' || left === undefined || rule.variables[0]?.name === left) return [];
  const message = `The total $${left} of "${rule.name}" must be the first of its variables.`;
  return [issue('rule_expression_parse', 'rollup_parent_not_first', message, context)];
}

/** What the expression says, or why it cannot be read. */
function readExpression({ expression, pattern }: BlockRule): ReturnType<typeof parseRelationOrValue> | string {
  try {
    return parseRelationOrValue(expression, featuresOfPattern.get(pattern ?? ''));
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
