export { readAnyStack, readStack } from './read/index.ts';
export type { StackException, StackFrame, StackLanguage, StackRelation, StackText } from './types.ts';
export { type EventFrame, frameOf, linksBetween, reportOf, type StackEvent } from './write/event.ts';
export { habitOf, type StackOrder } from './write/order.ts';
export type { StackReport, WrittenLanguage } from './write/report.ts';
export { writeFrame, writeStack } from './write/write.ts';
