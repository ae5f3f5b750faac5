export { bytesOfClasses, type CostReport, issuesOf, readCosts } from './report.ts';
export { createCostJob } from './measure.ts';
export { sampledTables } from './sample.ts';
export { selectorOf } from './selectors.ts';
