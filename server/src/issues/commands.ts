/** What becomes of a project's telemetry when it is deleted. */
import type { Blobs } from '../blobs/blobs.ts';
import { deleteOfProject } from '../blobs/retention.ts';
import type { Events } from '../events/events.ts';

const telemetryTables = [
  'errors',
  'error_texts',
  'revisions',
  'issue_hours',
  'issue_days',
  'issue_weeks',
  'issue_lives',
  'outcomes',
  'items',
  'spans',
  'segments',
  'transaction_hours',
  'transaction_days',
  'vital_hours',
  'vital_days',
  'logs',
  'sessions',
  'session_hours',
];

export interface TelemetryStores {
  readonly events: Events;
  readonly blobs: Blobs | undefined;
  /** How long payloads are kept, days. */
  readonly retentionDays: number;
}

/** Deletes the rows of a project, which the engine does in the background, and the payloads that were kept of it. */
export async function forgetProject(
  { events, blobs, retentionDays }: TelemetryStores,
  projectId: number,
): Promise<void> {
  for (const table of telemetryTables) {
    await events.command(`ALTER TABLE ${table} DELETE WHERE project_id = {project:UInt64}`, { project: projectId });
  }
  if (blobs) await deleteOfProject(blobs, projectId, retentionDays);
}
