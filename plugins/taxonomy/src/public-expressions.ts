// The exports for pure code of other plugins. Importing them does not load the plugin.
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
