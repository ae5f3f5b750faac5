export { activityBookmark, type AssignerOptions, createAssigner } from './assigner.ts';
export { decide, type Match, matchesOf, type RuleSet } from './evaluate.ts';
export { factsOfIssue } from './issue-facts.ts';
export { type Owner, type Owners, ownersAmong } from './people.ts';
export {
  addCodeowners,
  type Codeowners,
  deleteCodeowners,
  getOwnership,
  type Ownership,
  problemsOf,
  ruleSetOf,
  saveOwnership,
  unknownNames,
  updateCodeowners,
} from './store.ts';
export { type Reason, type SuggestedOwner, suggestOwners } from './suggest.ts';
