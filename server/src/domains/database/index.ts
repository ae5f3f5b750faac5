export { type CalledFrom, type QuerySample, readCallSites } from './call-sites.ts';
export { listQueries, querySorts } from './list.ts';
export { type QueryNumbers, readCallers, readQuery } from './one.ts';
export { attributesLimits, numbersLimits, type QueryScope } from './spans.ts';
