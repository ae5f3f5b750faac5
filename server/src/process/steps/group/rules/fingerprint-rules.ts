/** Fingerprint rules of a project: `matcher … -> entry … title="…"`, one a line, the first that matches wins. */
import type { ParsedRules } from './problem.ts';

export interface FingerprintRule {
  /** Of the text it was written in, from 1. */
  readonly line: number;
  /** As written, without what surrounds it. */
  readonly text: string;
  readonly fingerprint: readonly string[];
  /** What the issue is called, with variables; undefined for the event's own title. */
  readonly title: string | undefined;
}

/** Never throws. */
export function parseFingerprintRules(_text: string): ParsedRules<FingerprintRule> {
  return { rules: [], problems: [] };
}
