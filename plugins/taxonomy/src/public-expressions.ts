// The exports for pure code of other plugins. Importing them does not load the plugin.
export {
  type BinarySign,
  type Dialect,
  type Expression,
  ExpressionError,
  ExpressionParser,
  type Messages,
  type Operand,
  operandsOf,
  parseRelation,
  type Relation,
  type RelationSign,
  type Token,
  type Tree,
} from './expressions/index.ts';
export { groupBy } from './values/index.ts';
