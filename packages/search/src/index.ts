export { type Completion, completionsAt } from './completion.ts';
export { describeFunction, describeKey, descriptions } from './descriptions.ts';
export {
  type Field,
  type FunctionArgument,
  type FunctionField,
  type FunctionKey,
  type FunctionParameter,
  functionsOf,
  ifOperators,
  isNumeric,
  type KeyField,
  parseField,
  type Unit,
} from './functions.ts';
export { findKey, type IssueField, type KeyPlace, keysOf, type KeyType, type SearchKey } from './keys.ts';
export { parseSearch } from './parse.ts';
export { type Because, because, type Reason, reasons, reasonText } from './reasons.ts';
export { numberText, printSearch } from './print.ts';
export { similarKeys } from './term.ts';
export { isAggregate } from './tree.ts';
export { isComparable } from './typed.ts';
export type {
  Comparison,
  DataSet,
  ParsedSearch,
  ParseOptions,
  Place,
  ProblemCode,
  SearchItem,
  SearchNode,
  SearchProblem,
  SearchTerm,
  SearchValue,
} from './types.ts';
export { filterText, keyText, literal, termText } from './term-text.ts';
export { dateSpan, hasWildcard, wildcardParts } from './values.ts';
