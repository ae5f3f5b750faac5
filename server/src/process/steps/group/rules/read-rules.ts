/** Goes through a text of rules line by line; comments and empty lines are passed over. */
import { ruleProblems } from '../../../../base/texts/rules.ts';
import { Line, LineError, toProblem } from './line.ts';
import { type ParsedRules, ruleLimits, type RuleProblem } from './problem.ts';

/** Where a rule stands and how it was written. */
export interface RuleSource {
  /** From 1. */
  readonly line: number;
  /** Without the spaces around it. */
  readonly text: string;
}

/** `read` gives the rule of a line or fails at a place of it. Never throws for what is written. */
export function readRules<Rule>(text: string, read: (line: Line, source: RuleSource) => Rule): ParsedRules<Rule> {
  if (text.length > ruleLimits.characters) {
    const message = ruleProblems.textTooLong(ruleLimits.characters);
    return { rules: [], problems: [{ line: 1, column: 1, endColumn: 2, message }] };
  }
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  for (const [index, written] of text.split(/\r\n|[\r\n]/).entries()) {
    const trimmed = written.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const number = index + 1;
    if (rules.length >= ruleLimits.rules) {
      const message = ruleProblems.tooManyRules(ruleLimits.rules);
      problems.push({ line: number, column: 1, endColumn: written.length + 1, message });
      break;
    }
    try {
      rules.push(read(new Line(written), { line: number, text: trimmed }));
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      problems.push(toProblem(error, number));
      if (problems.length >= ruleLimits.problems) break;
    }
  }
  return { rules, problems };
}
