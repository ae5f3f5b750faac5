export type { LogInput } from './finish.ts';
export { finishRecords } from './finish-records.ts';
export { levelOfNumber, levelOfWord, type Severity, severityOf } from './severity.ts';
