export { createEvaluator, type Evaluator } from './evaluator.ts';
export { checkOwner, checkRule } from './check.ts';
export { addDefaultRule, suggestionsFor } from './suggestions.ts';
export {
  addRule,
  changeRule,
  findRule,
  listFirings,
  listRules,
  muteRule,
  quietWeek,
  removeRule,
  type RuleSummary,
  summariesOf,
} from './rules.ts';
export { type FiringMessage, messagesOf } from './firing-messages.ts';
export { type RaisedRule, raisedRules } from './raised.ts';
export { checkMayChange, mayChange, mutedFor, muteForPerson, type RuleAsker, whoMayChange } from './permission.ts';
export { isSeen, projectsOf } from './scope.ts';
export { type AlertPreview, type AlertPreviews, openAlertPreviews } from './preview/previews.ts';
export type { Condition, Firing, IssueTrigger, Metric, Rule, RuleDefinition } from './types.ts';
export { sentenceOf } from './words.ts';
