import type { Rule, RuleState } from './types.ts';

/** What is known of a rule that was never looked at: all is well, and nobody was told anything. */
export const newState = ({ version }: Pick<Rule, 'version'>, nowMs: number): RuleState => ({
  version,
  state: 'ok',
  stateSince: nowMs,
  notifiedState: 'ok',
  calm: 0,
  value: null,
  evaluatedAt: nowMs,
  messageAt: null,
  problem: '',
});
