export { forgetProject } from './commands.ts';
export { findExactly, type IssueMerge, listMerges, mergeIssues, moveOut, takeBack } from './merge/index.ts';
export { type EventPlace, pickEvent, placeOf } from './queries/event-place.ts';
export {
  type EventScope,
  findEvent,
  listEnvironments,
  listEvents,
  type StoredEvent,
  type StoredEventWithPayload,
} from './queries/events.ts';
export { issuesById, issuesOfHashes, recentIssues } from './queries/recent.ts';
export { rowConditions } from './queries/row-conditions.ts';
export { planSearch } from './queries/state-filter.ts';
export { hashKey, ownersOfHashes } from './queries/rows.ts';
export {
  activityOf,
  findIssue,
  hashesOf,
  type IssueActivity,
  type IssueHash,
  issueHashes,
  type IssueTotals,
  issueTotals,
} from './queries/issue.ts';
export { type ActivityOfIssue, activeIssues, readActivity } from './queries/happenings.ts';
export { refuseDear } from './queries/dear.ts';
export { listIssues } from './queries/list.ts';
export { lifetimesOf } from './queries/numbers.ts';
export { countMatching, type MatchCounts, type MatchQuestion } from './queries/matching.ts';
export { amongProjects, during, inEnvironments, inProjects, moment, type SqlPart, where } from './queries/scope.ts';
export { allOf, anyOf, isTerm, type Reduced, reduceTree, someTerm } from './queries/tree.ts';
export { tagKeysOfIssue, type TagsOfIssue, tagsOfIssue } from './queries/tags.ts';
export {
  allowAgain,
  type Difference,
  keepApart,
  openSigner,
  type SimilarIssue,
  similarIssues,
} from './similar/index.ts';
export {
  countSoFar,
  changeStatus,
  openStateKeeper,
  readStatusChange,
  type StatusChange,
  type StatusDetails,
  type SoFar,
} from './states/index.ts';
export type { ActivityEntry, ActivityType } from './activity.ts';
export { recordBatch, type RecordedProject } from './record.ts';
export type { Recordable } from './record/sightings.ts';
export { adoptHashes } from './revise/adopt.ts';
export { type Apart, followRevisions, type RevisedEvent } from './revise/follow.ts';
export { joinIssues } from './revise/join.ts';
export {
  type Bulk,
  type BulkJob,
  collectIssues,
  findJob,
  type IssueChange,
  listJobs,
  listTombstones,
  openBulk,
  removeTombstone,
  type Tombstone,
} from './bulk/index.ts';
export { recordTwins, type ServerEvent, settleArrivals } from './twins/index.ts';
export {
  type AssignedTo,
  findShared,
  type IssueWork,
  type PersonRef,
  markedIssues,
  markSeenIn,
  participants,
  seenBy,
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
