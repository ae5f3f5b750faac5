export { addJobs, type Progress, type Wanted } from './jobs.ts';
export { openSymbolication, type Symbolication } from './symbolication.ts';
