export type { LogInput } from './finish.ts';
export { finishTogether } from './together.ts';
export { levelOfNumber, levelOfWord, type Severity, severityOf } from './severity.ts';
