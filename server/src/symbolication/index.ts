export type { Progress, Wanted } from './jobs.ts';
export { openSymbolication, type Symbolication } from './symbolication.ts';
