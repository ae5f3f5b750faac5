export { type Bind, type Binder, createBinder } from './binding.ts';
export { type AggregateParts, partsOf } from './parts.ts';
export { arrayOf, columnsOf, type Decided, decidedHere, deciderOf } from './decided.ts';
export { type FieldOptions, type FieldSql, fieldSql } from './fields.ts';
export { type CompiledFilter, compileFilter, compileHaving, type FilterOptions, splitAggregates } from './filter.ts';
export { sentByRust } from './terms.ts';
export { unionOf, type UnionPart, withPrefix } from './union.ts';
export { rowsCount } from './aggregates.ts';
export {
  type CountEstimate,
  estimateOf,
  estimateOfPart,
  noSpread,
  partSpread,
  type PartSpread,
  plusSpread,
  spreadTuple,
  type SpreadTuple,
  toSpread,
} from './estimate.ts';
export { spreadOf, type SpreadSql } from './spread.ts';
export { eventsCount, eventsCountIf, metUsers, sampledSpread, usersCount } from './stood-for.ts';
