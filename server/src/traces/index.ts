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
