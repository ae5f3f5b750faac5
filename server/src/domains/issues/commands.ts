/** What becomes of a project's telemetry when it is deleted. */
import { tableRecords } from '../../base/tables/index.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import { deleteOfProject } from '../../ports/blobs/retention.ts';
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { erasePayloads } from '../../ports/events/payload-rows.ts';

export interface TelemetryStores {
  readonly events: Events;
  readonly blobs: Blobs | undefined;
}

/** Deletes the rows of a project, which the engine does in the background, and the payloads that were kept of it. */
export async function forgetProject({ events, blobs }: TelemetryStores, projectId: number): Promise<void> {
  await events.index?.forget(projectId);
  await erasePayloads(events, 'project_id = {project:UInt64}', { project: projectId });
  const { onCluster } = layoutOf(events.address);
  for (const table of Object.keys(tableRecords)) {
    await events.command(
      `ALTER TABLE ${table}${onCluster} DELETE WHERE project_id = {project:UInt64} SETTINGS mutations_sync = 0`,
      { project: projectId },
    );
  }
  if (blobs) await deleteOfProject(blobs, projectId);
}
