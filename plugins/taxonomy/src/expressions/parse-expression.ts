import {
  type BareExpression,
  type BinarySign,
  type Expression,
  ExpressionError,
  type Relation,
  type RelationSign,
  type RuleOperand,
} from './expression.ts';
import { type Dialect, ExpressionParser } from './expression-parser.ts';
import type { Token } from './tokenize.ts';

/** Features that an expression may use beyond plain arithmetic (reporting ). */
export interface ExpressionFeatures {
  /** `avg($X)`, in Derive rules. */
  readonly hasAverage?: boolean;
  /** `$X[t-1]`, in rules of forecasts. */
  readonly hasPrevious?: boolean;
  /** Words that name the check of a pattern, such as `exists($X)`; they compute nothing themselves. */
  readonly labels?: readonly string[];
}

type Parser = ExpressionParser<RuleOperand, BinarySign>;

const maxDepth = 64;
const maxCharacters = 4_000;
const relationSigns: ReadonlySet<string> = new Set<RelationSign>(['=', '<', '<=', '>', '>=']);

const tokens = [
  ['number', /\d+(?:\.\d+)?/y],
  // Names match greedily, so that $AssetsCurrent is never read as $Assets (reporting R-6).
  ['variable', /\$[A-Za-z_]\w*/y],
  ['word', /[A-Za-z_]\w*/y],
  ['previous', /\[\s*t\s*-\s*1\s*\]/y],
  // A comma is never valid in a rule, but a call with two arguments should be rejected as a call.
  ['sign', /<=|>=|==|\*(?!\*)|[=<>+\-/(),]/y],
] as const;

/** The language of rules (reporting 3.2). */
function dialectOf(features: ExpressionFeatures): Dialect<RuleOperand, BinarySign> {
  return {
    tokens,
    maxCharacters,
    maxDepth,
    reportsSpaceBefore: false,
    levels: [{ signs: ['+', '-'] }, { signs: ['*', '/'] }],
    operand: (parser) => operandOf(parser, features),
    messages: {
      tooLong: `an expression has at most ${maxCharacters} characters`,
      tooDeep: `nested deeper than ${maxDepth}`,
      unreadable: (rest) =>
        rest.startsWith('[') ? 'an index other than [t-1] is disallowed' : `"${disallowedIn(rest)}" is disallowed`,
      expected: (sign, found) => unexpected(found, `"${sign}"`),
      afterEnd: (found) => unexpected(found, 'the end'),
    },
    problem: (_, message, position) => new ExpressionError(message, position),
  };
}

function disallowedIn(rest: string): string {
  return rest.startsWith('**') ? '**' : rest.charAt(0);
}

function unexpected(token: Token, wanted: string): string {
  const found = token.kind === 'end' ? 'the end of the expression' : `"${token.text}"`;
  return `expected ${wanted} but found ${found}`;
}

/**
 * Parses an equation or comparison without evaluating it in the host language (reporting R-6). Throws ExpressionError
 * with the position of the error.
 */
export function parseRelation(text: string, features: ExpressionFeatures = {}): Relation {
  const parser = new ExpressionParser(text, dialectOf(features));
  return relationOf(parser, parser.expression());
}

/** Parses a rule that may be a bare value. Throws ExpressionError with the position of the error. */
export function parseRelationOrValue(text: string, features: ExpressionFeatures = {}): Relation | BareExpression {
  const parser = new ExpressionParser(text, dialectOf(features));
  const left = parser.expression();
  return parser.peek().kind === 'end' ? { sign: undefined, left } : relationOf(parser, left);
}

function relationOf(parser: Parser, left: Expression): Relation {
  const token = parser.next();
  const sign = token.text === '==' ? '=' : token.text;
  if (!relationSigns.has(sign)) throw parser.problem(token, unexpected(token, 'a comparison'));
  const right = parser.expression();
  parser.end();
  return { sign: sign as RelationSign, left, right }; // The set has exactly the signs of the type.
}

function operandOf(parser: Parser, features: ExpressionFeatures): Expression {
  const token = parser.next();
  if (token.kind === 'number') return { kind: 'number', text: token.text };
  if (token.kind === 'variable') return variableOf(parser, token, features);
  if (token.kind === 'word') return callOf(parser, token, features);
  if (token.text === '-') return parser.nested(token, () => ({ kind: 'negate', operand: parser.operand() }));
  if (token.text === '(') return parser.bracketed(token);
  throw parser.problem(token, unexpected(token, 'a value'));
}

function variableOf(parser: Parser, token: Token, { hasPrevious }: ExpressionFeatures): Expression {
  const name = nameOf(token);
  if (parser.peek().kind !== 'previous') return { kind: 'variable', name };
  const index = parser.next();
  if (hasPrevious === true) return { kind: 'previous', name };
  throw parser.problem(index, '[t-1] is allowed only in rules of forecasts');
}

function callOf(parser: Parser, word: Token, { hasAverage, labels }: ExpressionFeatures): Expression {
  if (labels?.includes(word.text) === true) {
    const bracket = parser.peek();
    parser.expect('(');
    return parser.bracketed(bracket);
  }
  if (word.text !== 'avg' || hasAverage !== true) {
    const only = 'the only aggregate is avg($Var), allowed in Derive rules only';
    throw parser.problem(word, `"${word.text}" is disallowed: ${only};`);
  }
  parser.expect('(');
  const variable = parser.next();
  if (variable.kind !== 'variable') throw parser.problem(variable, unexpected(variable, 'a $Variable'));
  parser.expect(')');
  return { kind: 'average', name: nameOf(variable) };
}

/** The name of a variable without the dollar sign. */
function nameOf(token: Token): string {
  return token.text.slice(1);
}
