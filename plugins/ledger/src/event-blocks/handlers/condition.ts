import { maxExpressionChars, type Path, parsePath, TemplateProblem } from './amount-expression.ts';
import { type TemplateScope, ValueProblem, valueAt } from './template-values.ts';

type Literal = string | number | boolean | null;
type Operand = { readonly path: Path } | { readonly literal: Literal };

const operators = ['==', '!=', '>=', '<=', '>', '<'] as const;
type Operator = (typeof operators)[number];

interface Comparison {
  readonly left: Operand;
  readonly operator: Operator;
  readonly right: Operand;
}

/**
 * A disjunction of conjunctions: the entry is made when every comparison of at least one group holds (ledger L-105).
 */
export type Condition = readonly (readonly Comparison[])[];

const lexemes =
  /\s*(?:(?<path>\{\{.*?\}\})|(?<text>'[^']*')|(?<number>-?\d{1,16})(?!\d)|(?<word>[a-z]+)|(?<operator>==|!=|>=|<=|>|<))/y;

interface Token {
  readonly kind: string;
  readonly text: string;
  readonly at: number;
}

/** Reads comparisons with `and` and `or` between them; `and` binds closer. Throws a TemplateProblem. */
export function parseCondition(text: string): Condition {
  const tokens = tokensOf(text);
  const groups: Comparison[][] = [[]];
  let index = 0;
  for (;;) {
    const comparison = comparisonOf(text, tokens.slice(index, index + 3));
    groups.at(-1)?.push(comparison);
    const joint = tokens[index + 3];
    if (joint === undefined) return groups;
    if (joint.text !== 'and' && joint.text !== 'or')
      throw new TemplateProblem(text, joint.at, "'and' or 'or' is expected here.");
    if (joint.text === 'or') groups.push([]);
    index += 4;
  }
}

function tokensOf(text: string): readonly Token[] {
  if (text.length > maxExpressionChars)
    throw new TemplateProblem(text.slice(0, 40), maxExpressionChars, 'the condition is too long.');
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  lexemes.lastIndex = 0;
  while (lexemes.lastIndex < end) {
    const from = lexemes.lastIndex;
    const found = Object.entries(lexemes.exec(text)?.groups ?? {}).find(([, part]) => part !== undefined);
    if (found === undefined)
      throw new TemplateProblem(text, from, "a {{ path }}, a whole number, 'text' or a comparison is expected here.");
    tokens.push({ kind: found[0], text: found[1], at: lexemes.lastIndex - found[1].length });
  }
  return tokens;
}

function comparisonOf(text: string, [left, sign, right]: readonly Token[]): Comparison {
  const operator = operators.find((each) => each === sign?.text);
  if (left === undefined || operator === undefined || right === undefined)
    throw new TemplateProblem(
      text,
      sign?.at ?? left?.at ?? text.length,
      `a comparison is two values with one of ${operators.join(' ')} between them.`,
    );
  return { left: operandOf(text, left), operator, right: operandOf(text, right) };
}

const words: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function operandOf(text: string, token: Token): Operand {
  if (token.kind === 'path') return { path: parsePath(text, token.text, token.at) };
  if (token.kind === 'text') return { literal: token.text.slice(1, -1) };
  if (token.kind === 'number') return { literal: Number(token.text) };
  const literal = words.get(token.text);
  if (literal === undefined)
    throw new TemplateProblem(text, token.at, "a {{ path }}, a whole number, 'text', true, false or null is needed.");
  return { literal };
}

/** Evaluates a condition; a missing field counts as null. Throws a ValueProblem. */
export function holds(condition: Condition, scope: TemplateScope): boolean {
  return condition.some((group) => group.every((comparison) => isTrue(comparison, scope)));
}

function isTrue({ left, operator, right }: Comparison, scope: TemplateScope): boolean {
  const [one, other] = [operandValue(left, scope), operandValue(right, scope)];
  if (operator === '==') return one === other;
  if (operator === '!=') return one !== other;
  if (typeof one !== 'number' || typeof other !== 'number')
    throw new ValueProblem(
      `A condition compares ${JSON.stringify(one)} ${operator} ${JSON.stringify(other)}; numbers are needed.`,
    );
  if (operator === '>') return one > other;
  if (operator === '<') return one < other;
  return operator === '>=' ? one >= other : one <= other;
}

function operandValue(operand: Operand, scope: TemplateScope): unknown {
  if ('literal' in operand) return operand.literal;
  try {
    return valueAt(operand.path, scope);
  } catch (error) {
    if (error instanceof ValueProblem) return null;
    throw error;
  }
}
