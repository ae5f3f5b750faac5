export { amongTraces, compileLogFilter } from './filter.ts';
export { listLogs, type LogOrder } from './list.ts';
export { findLog } from './one.ts';
export { countTraceLogs, type LogsOfTrace, logsOfTrace } from './trace.ts';
export type { LogDetails, LogLine, TraceLog } from './types.ts';
