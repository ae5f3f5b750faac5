export { adoptIssues, changedGrouping, type GroupingChange } from './change.ts';
export { explainEvent, type Explained, type MatchedRule } from './explain.ts';
export type { PreviewResult } from './messages.ts';
export { type FieldProblem, openPreviews, type Preview, type Previews } from './previews.ts';
export { fingerprintOf } from './regroup.ts';
export { sampleIssue } from './sample-issue.ts';
export { suggestRule, type Suggestion } from './suggest.ts';
