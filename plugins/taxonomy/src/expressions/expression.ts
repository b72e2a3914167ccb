import type { Tree } from './expression-parser.ts';

/** A number, a name or a calculation in a rule (reporting 3.2). */
export type Expression = Tree<RuleOperand, BinarySign>;

export type RuleOperand = { readonly kind: 'number'; readonly text: string } | Operand | Negation;

interface Negation {
  readonly kind: 'negate';
  readonly operand: Expression;
}

/**
 * A name whose value comes from facts: the value itself, the average of opening and closing value, or that of the
 * previous month (reporting R-9).
 */
export interface Operand {
  readonly kind: 'variable' | 'average' | 'previous';
  /** Without the dollar sign. */
  readonly name: string;
}

export type BinarySign = '+' | '-' | '*' | '/';
export type RelationSign = '=' | '<' | '<=' | '>' | '>=';

/** Two sides with a comparison. */
export interface Relation {
  readonly sign: RelationSign;
  readonly left: Expression;
  readonly right: Expression;
}

/** An expression without a comparison, for rules about presence. */
export interface BareExpression {
  readonly sign: undefined;
  readonly left: Expression;
}

/** An expression that cannot be parsed or evaluated. */
export class ExpressionError extends Error {
  /** The offset in the text, from 0; undefined for a problem of values. */
  readonly position: number | undefined;

  constructor(message: string, position?: number) {
    super(position === undefined ? message : `${message} at position ${position}`);
    this.name = 'ExpressionError';
    this.position = position;
  }
}

/** The distinct operands of an expression, in order of appearance. */
export function operandsOf(...expressions: readonly Expression[]): readonly Operand[] {
  const found = new Map<string, Operand>();
  const walk = (expression: Expression): void => {
    if (expression.kind === 'binary') {
      walk(expression.left);
      walk(expression.right);
    } else if (expression.kind === 'negate') walk(expression.operand);
    else if (expression.kind !== 'number') found.set(`${expression.kind} ${expression.name}`, expression);
  };
  for (const expression of expressions) walk(expression);
  return [...found.values()];
}
