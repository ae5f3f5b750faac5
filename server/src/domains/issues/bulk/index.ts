export { collectIssues } from './collect.ts';
export type { IssueChange } from './change.ts';
export { type BulkJob, findJob, goesBeyond, listJobs, type Told as BulkTold } from './job.ts';
export { notifyAssignees } from './notify-assignees.ts';
export { type Bulk, type BulkOptions, type BulkRequest, createBulk } from './open.ts';
export { readChange } from './read-change.ts';
export { removeIssues } from './remove.ts';
export { listTombstones, removeTombstone, type Tombstone } from './tombstones.ts';
