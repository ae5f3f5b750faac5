export { configurationOf, readConfiguration } from './configuration.ts';
export { type Examiner, openExaminer } from './examiner.ts';
export { performanceIssueTypes, problemTypes } from './problem-types.ts';
export { problemsOfTrace, type TraceProblem } from './problems-of-trace.ts';
export { createSampler } from './sampler.ts';
export {
  detectorNames,
  fieldsOf,
  type PerformancePatch,
  performancePatchSchema,
  performanceSchema,
  type PerformanceSettings,
} from './settings.ts';
export { noteSuspects } from './suspects.ts';
export { createSuspicion, type Suspicion } from './suspicion.ts';
