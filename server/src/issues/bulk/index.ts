export { collectIssues } from './collect.ts';
export type { IssueChange } from './change.ts';
export { type BulkJob, findJob, listJobs } from './job.ts';
export { type Bulk, type BulkRequest, openBulk } from './open.ts';
export { listTombstones, removeTombstone, type Tombstone } from './tombstones.ts';
