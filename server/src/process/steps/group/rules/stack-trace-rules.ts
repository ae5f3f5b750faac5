/** Stack trace rules of a project: `matcher … action …`, one a line, all are applied in their order. */
import type { ParsedRules } from './problem.ts';

export interface StackTraceRule {
  /** Of the text it was written in, from 1. */
  readonly line: number;
  /** As written, without what surrounds it. */
  readonly text: string;
}

/** Never throws. */
export function parseStackTraceRules(_text: string): ParsedRules<StackTraceRule> {
  return { rules: [], problems: [] };
}
