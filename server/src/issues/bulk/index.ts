export { collectIssues } from './collect.ts';
export type { IssueChange } from './change.ts';
export { type BulkJob, findJob, listJobs } from './job.ts';
export { type Bulk, type BulkRequest, maxBulk, openBulk } from './open.ts';
export { discardedAmong, listTombstones, removeTombstone, type Tombstone } from './tombstones.ts';
