/** Expressions of rules: tokens, parser and syntax tree. */
export {
  type BinarySign,
  type Expression,
  ExpressionError,
  type Operand,
  operandsOf,
  type Relation,
  type RelationSign,
} from './expression.ts';
export { type ExpressionFeatures, parseRelation, parseRelationOrValue } from './parse-expression.ts';
