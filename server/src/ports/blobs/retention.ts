/** Kept payloads lie in a folder a day, so that whole days can be deleted when they are past retention. */
import type { Blobs } from './blobs.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How far behind retention is looked, days: longer than a server is ever stopped and started again. */
const lookBackDays = 60;

/** Folder of the payloads that were received on the day of `at`, ms since the epoch. */
function dayPrefix(at: number): string {
  return `items/${new Date(at).toISOString().slice(0, 10)}/`;
}

/** Folder of a project's payloads in it. */
export function projectPrefix(at: number, projectId: number): string {
  return `${dayPrefix(at)}${projectId}/`;
}

/** What is kept of a project, of all days that something may be left of. */
export async function deleteOfProject(
  blobs: Blobs,
  projectId: number,
  retentionDays: number,
  now = Date.now(),
): Promise<void> {
  for (let days = 0; days <= retentionDays + lookBackDays; days++) {
    await blobs.deleteAll(projectPrefix(now - days * dayMs, projectId));
  }
}

export async function deleteExpired(blobs: Blobs, retentionDays: number, now = Date.now()): Promise<void> {
  for (let days = 1; days <= lookBackDays; days++) {
    await blobs.deleteAll(dayPrefix(now - (retentionDays + days) * dayMs));
  }
}
