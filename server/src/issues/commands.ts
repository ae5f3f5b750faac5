/** What becomes of issues of a project that is deleted. */
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

/** Deletes what the events store has of a project; the engine does the work in the background. */
export async function forgetProject(events: Events, projectId: number): Promise<void> {
  for (const table of telemetryTables) {
    await events.command(`ALTER TABLE ${table} DELETE WHERE project_id = {project:UInt64}`, { project: projectId });
  }
}
