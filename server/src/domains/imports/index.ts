export { createImporter } from './importer.ts';
export { Absent, Client } from './client.ts';
export { type IssueRecord, isTracker, type ProjectName, type Tracker, trackers } from './records.ts';
export type { Source } from './source.ts';
export { findSource } from './source-of.ts';
export { type Report, reportLines } from './report.ts';
export {
  addRun,
  cancelRun,
  findOpenRun,
  findRun,
  findStopped,
  type ImportRun,
  type ImportSettings,
  resumeRun,
  tokenPlace,
} from './runs.ts';
