export { type AffectedEvent, type EventKey, readEvents } from './affected.ts';
export { addJobs, type Progress, type Wanted } from './jobs.ts';
export { createSymbolication, type Symbolication } from './symbolication.ts';
