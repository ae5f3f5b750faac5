export { readJavascript } from './read/javascript.ts';
export type { StackException, StackFrame, StackLanguage, StackRelation, StackText } from './types.ts';
