export { configurationOf, readConfiguration } from './configuration.ts';
export { createExaminer, type Examiner } from './examiner.ts';
export { performanceIssueTypes, problemTypes } from '../../base/problems/types.ts';
export { problemsOfTrace, type TraceProblem } from './problems-of-trace.ts';
export { createSampler } from './sampler.ts';
export {
  detectorNames,
  fieldsOf,
  labelOf,
  type PerformancePatch,
  performancePatchSchema,
  performanceSchema,
  type PerformanceSettings,
} from '../../base/problems/settings.ts';
export { noteSuspects } from './suspects.ts';
export { createSuspicion, type Suspicion } from './suspicion.ts';
