// What the pure code of other plugins may use. It has no part of the plugin itself, so nothing is started by importing it.
export {
  type BinarySign,
  type Expression,
  ExpressionError,
  type Operand,
  operandsOf,
  type Relation,
  type RelationSign,
} from './expression.ts';
export { groupBy } from './group-by.ts';
export { parseRelation } from './parse-expression.ts';
