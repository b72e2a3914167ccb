/** The grammar that all languages of expressions share, and the language of rules. */
export {
  type BinarySign,
  type Expression,
  ExpressionError,
  type Operand,
  operandsOf,
  type Relation,
  type RelationSign,
} from './expression.ts';
export { type Dialect, ExpressionParser, type Messages, type Tree } from './expression-parser.ts';
export { type ExpressionFeatures, parseRelation, parseRelationOrValue } from './parse-expression.ts';
export type { Token } from './tokenize.ts';
