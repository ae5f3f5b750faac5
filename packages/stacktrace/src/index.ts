export { readAnyStack, readStack } from './read/index.ts';
export type { StackException, StackFrame, StackLanguage, StackRelation, StackText } from './types.ts';
