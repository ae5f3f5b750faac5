/** What is wrong in a text of rules, and where. */
export interface RuleProblem {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The first column that is not part of it. */
  readonly endColumn: number;
  /** A sentence for people. */
  readonly message: string;
}

export interface ParsedRules<Rule> {
  /** Those that can be applied, in the order of the text. */
  readonly rules: readonly Rule[];
  /** Their lines are left out of the rules. */
  readonly problems: readonly RuleProblem[];
}

export const ruleLimits = { characters: 65_536, rules: 500, problems: 100 } as const;
