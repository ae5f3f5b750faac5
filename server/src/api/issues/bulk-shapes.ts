/** Changes of many issues as the API gives them. */
import type { z } from 'zod';
import type { BulkJob, Tombstone as TombstoneRow } from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type { Bulk, bulkState, Tombstone } from './bulk-contract.ts';
import { iso } from '../shared/read.ts';

/** What is hidden waits to be deleted. */
export const bulkStateShown = (state: BulkJob['state']): z.output<typeof bulkState> =>
  state === 'hidden' || state === 'collecting' ? 'waiting' : state === 'deleting' ? 'running' : state;

export const toBulk = (job: BulkJob, nowMs: number): z.output<typeof Bulk> => ({
  id: String(job.id),
  state: bulkStateShown(job.state),
  total: job.total,
  done: job.done,
  changed: job.changed,
  failed: job.state === 'failed' ? job.total - job.done : 0,
  detail: job.detail,
  undoableUntil: job.undoableUntil !== null && job.undoableUntil > nowMs ? iso(job.undoableUntil) : null,
  change: job.asked as z.output<typeof Bulk>['change'],
  dateCreated: iso(job.createdAt),
});

export const toTombstone = (
  { id, number, level, title, culprit, type, metadata, actor, createdAt }: TombstoneRow,
  project: Pick<Project, 'shortIdPrefix'>,
): z.output<typeof Tombstone> => ({
  id: String(id),
  shortId: `${project.shortIdPrefix}-${number}`,
  level,
  title,
  culprit,
  type,
  metadata: { ...metadata },
  actor,
  dateCreated: iso(createdAt),
});
