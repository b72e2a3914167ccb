// What the pure code of other plugins may use. It has no part of the plugin itself, so nothing is started by importing it.
export {
  type BinarySign,
  type Expression,
  ExpressionError,
  type Operand,
  operandsOf,
  parseRelation,
  type Relation,
  type RelationSign,
} from './expressions/index.ts';
export { groupBy } from './values/index.ts';
