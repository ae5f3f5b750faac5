/** Kept payloads lie in a folder per day, so that whole days can be deleted when they are past retention. */
import type { Blobs } from './blobs.ts';

const dayMs = 24 * 60 * 60 * 1000;
const daysPrefix = 'items/';

const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Folder of a project's payloads that were received on the day of `at`, ms since the epoch. */
export const projectPrefix = (at: number, projectId: number): string => `${daysPrefix}${dayName(at)}/${projectId}/`;

/** What is kept of a project, of all days. */
export async function deleteOfProject(blobs: Blobs, projectId: number): Promise<void> {
  for (const day of await blobs.folders(daysPrefix)) await blobs.deleteAll(`${daysPrefix}${day}/${projectId}/`);
}

/** Days of which something is kept, `YYYY-MM-DD`. */
export const keptDays = async (blobs: Blobs): Promise<string[]> =>
  (await blobs.folders(daysPrefix)).filter((day) => /^\d{4}-\d\d-\d\d$/.test(day));

/** Folder of a day. */
export const keptDayOf = (day: string): string => `${daysPrefix}${day}/`;

/** `held`: projects of which everything stays. */
export async function deleteExpired(
  blobs: Blobs,
  retentionDays: number,
  now = Date.now(),
  held: readonly number[] = [],
): Promise<void> {
  const oldest = dayName(now - retentionDays * dayMs);
  const isKept = new Set(held.map(String));
  for (const day of await blobs.folders(daysPrefix)) {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || day >= oldest) continue;
    const prefix = `${daysPrefix}${day}/`;
    if (held.length === 0) await blobs.deleteAll(prefix);
    else
      for (const project of await blobs.folders(prefix))
        if (!isKept.has(project)) await blobs.deleteAll(`${prefix}${project}/`);
  }
}
