export { readAnyStack, readStack } from './read/index.ts';
export type { StackException, StackFrame, StackLanguage, StackRelation, StackText } from './types.ts';
export { type EventFrame, frameOf, languageOf, reportOf, type StackEvent } from './write/event.ts';
export { habitOf, type StackOrder, type StackReport, type WrittenLanguage } from './write/report.ts';
export { writeFrame, writeStack } from './write/write.ts';
