export { placeErrors } from './errors.ts';
export {
  countTrace,
  maxTraceSpans,
  readSpan,
  readTrace,
  type SpanDetails,
  type Trace,
  type TraceCounts,
} from './read.ts';
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
export { listTransactions, measureOne, type Measures, periodBefore, transactionSorts } from './transactions.ts';
export { percentiles } from './measures.ts';
export { listVitals, vitalNames } from './vitals.ts';
