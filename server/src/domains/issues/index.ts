export type { CountEstimate } from '../search/index.ts';
export { columnTagsOf } from './queries/tag-columns.ts';
export { estimatesOf, estimatesOfHashes } from './queries/estimate.ts';
export { type AdoptedStatus, adoptIssue } from './adopt.ts';
export { forgetProject } from './commands.ts';
export * as comments from './comments/index.ts';
export { findExactly, type IssueMerge, listMerges, mergeIssues, moveOut, takeBack } from './merge/index.ts';
export type { EventScope } from './queries/event-scope.ts';
export { type EventPlace, pickEvent, placeOf } from './queries/event-place.ts';
export {
  type EventOwner,
  findEvent,
  findOwner,
  findPayload,
  findRevision,
  findRow,
  type FoundRow,
  listEnvironments,
  listEvents,
  type ListedEvent,
  type StoredEvent,
  type StoredEventWithPayload,
  wholeEvent,
} from './queries/events.ts';
export { type IndexedRow, readIndexed, readOfTraces } from './queries/indexed.ts';
export { issuesById, issuesOfHashes, recentIssues } from './queries/recent.ts';
export { rowConditions } from './queries/row-conditions.ts';
export { planSearch } from './queries/state-filter.ts';
export { hashKey, ownersOfHashes } from './rows.ts';
export {
  activityOf,
  findIssue,
  hashesOf,
  type IssueActivity,
  type IssueHash,
  issueHashes,
  type IssueTotals,
  issueTotals,
  namedIssueIds,
} from './queries/issue.ts';
export { type ActivityOfIssue, activeIssues, readActivity } from './queries/happenings.ts';
export { refuseExpensive } from './queries/expensive.ts';
export { KnownAnswers } from './queries/known.ts';
export { listIssues } from './queries/list.ts';
export { livesOf } from './queries/lives.ts';
export { countMatching, countSinceDay, type MatchCounts, type MatchQuestion } from './queries/matching.ts';
export { allOf, anyOf, isTerm, type Reduced, reduceTree, someTerm } from './queries/tree.ts';
export { estimateOfTotals, knownTagsOfIssue, pageOfIssue } from './queries/known-page.ts';
export type { TagsOfIssue } from './queries/tags.ts';
export type { Unstored } from './queries/unstored.ts';
export { type ListedTagValue, tagValuesOfIssue, type TagValueSort } from './queries/tag-values.ts';
export {
  allowAgain,
  type Difference,
  keepApart,
  createSigner,
  type SimilarIssue,
  similarIssues,
} from './similar/index.ts';
export {
  countSoFar,
  changeStatus,
  createStateKeeper,
  type IssueState,
  type StatusChange,
  type StatusDetails,
  type SoFar,
} from './states/index.ts';
export { type ReleasedCommits, resolveByCommits } from './states/commits.ts';
export type { ActivityEntry, ActivityType } from './activity.ts';
export {
  createDecisionExpiry,
  forgetWaiting,
  type IssueLimit,
  limitIn,
  limitOf,
  renameWaitingUsers,
  standingFor,
  type Weight,
} from './limits/index.ts';
export { type BatchFate, createFate, recordBatch, type RecordedProject } from './record.ts';
export { gainedBy, gainsOf } from './record/gained.ts';
export type { Recordable } from './record/sightings.ts';
export { adoptHashes } from './revise/adopt.ts';
export { type Apart, followRevisions, type RevisedEvent } from './revise/follow.ts';
export { joinIssues } from './revise/join.ts';
export { retitleWithout } from './revise/retitle.ts';
export {
  type BulkTold,
  type Bulk,
  type BulkJob,
  type BulkOptions,
  collectIssues,
  findJob,
  goesBeyond,
  type IssueChange,
  listJobs,
  listTombstones,
  notifyAssignees,
  createBulk,
  readChange,
  removeIssues,
  removeTombstone,
  type Tombstone,
} from './bulk/index.ts';
export { recordTwins, type ServerEvent, settleArrivals } from './twins/index.ts';
export {
  assign,
  type AssignedTo,
  findShared,
  type IssueWork,
  type PersonRef,
  markedIssues,
  markSeenIn,
  participants,
  seenBy,
  takeOffIssues,
  workOf,
} from './work/index.ts';
export type {
  Cursor,
  IssueFilter,
  IssueListRequest,
  IssueNumbers,
  IssueRow,
  IssueSort,
  IssueStores,
  ListedIssue,
  Page,
  VisibleProject,
} from './types.ts';
