/** A number, a name or a calculation in a rule (reporting 3.2). */
export type Expression =
  | { readonly kind: 'number'; readonly text: string }
  | Operand
  | { readonly kind: 'negate'; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly sign: BinarySign; readonly left: Expression; readonly right: Expression };

/** A name whose value comes from facts: itself, the mean of its ends, or the month before (reporting R-9). */
export interface Operand {
  readonly kind: 'variable' | 'average' | 'previous';
  /** Without the dollar sign. */
  readonly name: string;
}

export type BinarySign = '+' | '-' | '*' | '/';
export type RelationSign = '=' | '<' | '<=' | '>' | '>=';

/** Two sides and what must hold between them. */
export interface Relation {
  readonly sign: RelationSign;
  readonly left: Expression;
  readonly right: Expression;
}

/** An expression that compares nothing, as rules about presence have it. */
export interface BareExpression {
  readonly sign: undefined;
  readonly left: Expression;
}

/** An expression that cannot be read or computed. */
export class ExpressionError extends Error {
  /** Where in the text, counted from 0; undefined for a problem of values. */
  readonly position: number | undefined;

  constructor(message: string, position?: number) {
    super(position === undefined ? message : `${message} at position ${position}`);
    this.name = 'ExpressionError';
    this.position = position;
  }
}

/** The operands of an expression in order of appearance, each once. */
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
