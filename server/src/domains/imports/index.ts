export { createImporter } from './importer.ts';
export { isTracker, type Tracker, trackers } from './records.ts';
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
