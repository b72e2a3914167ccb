import { type BinarySign, type Expression, ExpressionError, type Operand } from '@pacioli/taxonomy/expressions';
import { Big } from 'big.js';

/** Exact decimals for rules: division keeps 12 decimal places, rounded half to even. */
const Decimal = Big();
Decimal.DP = 12;
Decimal.RM = 2;

/** Products of many facts grow quickly; no real amount has this many digits. */
const maxDigits = 400;

/** Parses a decimal for rules. Throws on text that is not a number. */
export function decimal(text: string | number): Big {
  return new Decimal(text);
}

/** Evaluates an expression; `lookUp` returns undefined for an operand without a fact. Throws ExpressionError. */
export function evaluateExpression(expression: Expression, lookUp: (operand: Operand) => Big | undefined): Big {
  switch (expression.kind) {
    case 'number':
      return decimal(expression.text);
    case 'negate':
      return evaluateExpression(expression.operand, lookUp).times(-1);
    case 'binary': {
      const left = evaluateExpression(expression.left, lookUp);
      return calculate(expression.sign, left, evaluateExpression(expression.right, lookUp));
    }
    default: {
      const value = lookUp(expression);
      if (value === undefined) throw new ExpressionError(`unbound $${expression.name} in expression`);
      // The value may come from another constructor, whose division rounds differently.
      return new Decimal(value);
    }
  }
}

function calculate(sign: BinarySign, left: Big, right: Big): Big {
  if (sign === '/' && right.eq(0)) throw new ExpressionError('division by zero');
  const result = {
    '+': () => left.plus(right),
    '-': () => left.minus(right),
    '*': () => left.times(right),
    '/': () => left.div(right),
  }[sign]();
  if (result.c.length > maxDigits) throw new ExpressionError(`a value has more than ${maxDigits} digits`);
  return result;
}
