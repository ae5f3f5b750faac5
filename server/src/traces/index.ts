export { placeErrors } from './errors.ts';
export { countTrace, readSpan, readTrace, type SpanDetails, type Trace, type TraceCounts } from './read.ts';
export { buildTree } from './tree.ts';
export type { TraceError, TraceSpan, Tree, TreeRow } from './types.ts';
export {
  examinedHours,
  latencyHistogram,
  operationShares,
  sampleTraces,
  slowTags,
  type TransactionRequest,
  transactionSeries,
} from './transaction.ts';
export { listTransactions, measureOne, type Measures, transactionSorts } from './transactions.ts';
export { listVitals, vitalNames } from './vitals.ts';
