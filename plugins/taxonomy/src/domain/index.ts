// The exports for pure code of other plugins. Importing them does not load the plugin.
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
