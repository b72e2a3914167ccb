import { ExpressionParser, type Token, type Tree } from '@pacioli/taxonomy/expressions';
import { templateDialect } from './template-dialect.ts';
import { type Path, parsePath, pathToken, TemplateProblem } from './template-path.ts';
import { type TemplateScope, ValueProblem, valueAt } from './template-values.ts';

type Literal = string | number | boolean | null;
type Operand = { readonly path: Path } | { readonly literal: Literal };

const operators = ['==', '!=', '>=', '<=', '>', '<'] as const;
type Operator = (typeof operators)[number];

interface Comparison {
  readonly kind: 'comparison';
  readonly left: Operand;
  readonly operator: Operator;
  readonly right: Operand;
}

type Connective = 'and' | 'or';

/** Comparisons with `and` and `or` between them; the entry is made when it holds (ledger L-105). */
export type Condition = Tree<Comparison, Connective>;

type Parser = ExpressionParser<Comparison, Connective>;

const conditions = templateDialect<Comparison, Connective>({
  tokens: [
    pathToken,
    ['text', /'[^']*'/y],
    ['number', /-?\d{1,16}(?!\d)/y],
    ['word', /[a-z]+/y],
    ['operator', /==|!=|>=|<=|>|</y],
  ],
  levels: [{ signs: ['or'] }, { signs: ['and'] }],
  operand: comparisonOf,
  messages: {
    tooLong: 'the condition is too long.',
    unreadable: () => "a {{ path }}, a whole number, 'text' or a comparison is expected here.",
    afterEnd: () => "'and' or 'or' is expected here.",
  },
});

/** Parses comparisons with `and` and `or` between them; `and` binds closer. Throws a TemplateProblem. */
export function parseCondition(text: string): Condition {
  return new ExpressionParser(text, conditions).all();
}

/** Parses two values with an operator between them; all three must be present before a value is parsed. */
function comparisonOf(parser: Parser): Comparison {
  const [left, sign, right] = [parser.next(), parser.next(), parser.next()];
  const operator = operators.find((each) => each === sign.text);
  if (operator === undefined || right.kind === 'end') {
    const last = [sign, left].find(({ kind }) => kind !== 'end');
    throw new TemplateProblem(
      parser.text,
      last?.position ?? parser.text.length,
      `a comparison is two values with one of ${operators.join(' ')} between them.`,
    );
  }
  return { kind: 'comparison', left: operandOf(parser, left), operator, right: operandOf(parser, right) };
}

const words: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function operandOf(parser: Parser, token: Token): Operand {
  if (token.kind === 'path') return { path: parsePath(parser.text, token.text, token.position) };
  if (token.kind === 'text') return { literal: token.text.slice(1, -1) };
  if (token.kind === 'number') return { literal: Number(token.text) };
  const literal = words.get(token.text);
  if (literal === undefined)
    throw parser.problem(token, "a {{ path }}, a whole number, 'text', true, false or null is required.");
  return { literal };
}

/** Evaluates a condition; a missing field counts as null. Throws a ValueProblem. */
export function holds(condition: Condition, scope: TemplateScope): boolean {
  if (condition.kind === 'comparison') return isTrue(condition, scope);
  const { left, right } = condition;
  return condition.sign === 'and'
    ? holds(left, scope) && holds(right, scope)
    : holds(left, scope) || holds(right, scope);
}

function isTrue({ left, operator, right }: Comparison, scope: TemplateScope): boolean {
  const [one, other] = [operandValue(left, scope), operandValue(right, scope)];
  if (operator === '==') return one === other;
  if (operator === '!=') return one !== other;
  if (typeof one !== 'number' || typeof other !== 'number')
    throw new ValueProblem(
      `A condition compares ${JSON.stringify(one)} ${operator} ${JSON.stringify(other)}; numbers are required.`,
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
