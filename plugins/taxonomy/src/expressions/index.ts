/** The grammar that all languages of expressions share, and the language of rules. */
export type { Dialect, Messages, Token, Tree } from './dialect.ts';
export {
  type BinarySign,
  type Expression,
  ExpressionError,
  type Operand,
  operandsOf,
  type Relation,
  type RelationSign,
} from './expression.ts';
export { ExpressionParser } from './expression-parser.ts';
export { type ExpressionFeatures, parseRelation, parseRelationOrValue } from './parse-expression.ts';
