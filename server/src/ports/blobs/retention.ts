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

/** `own`: days of projects that have other ones; Infinity where everything stays. */
export async function deleteExpired(
  blobs: Blobs,
  retentionDays: number,
  now = Date.now(),
  own: ReadonlyMap<number, number> = new Map(),
): Promise<void> {
  const isOver = (day: string, days: number): boolean => Number.isFinite(days) && day < dayName(now - days * dayMs);
  const [shortest, longest] = [Math.min(retentionDays, ...own.values()), Math.max(retentionDays, ...own.values())];
  for (const day of await keptDays(blobs)) {
    if (!isOver(day, shortest)) continue;
    const prefix = keptDayOf(day);
    if (isOver(day, longest)) await blobs.deleteAll(prefix);
    else
      for (const project of await blobs.folders(prefix))
        if (isOver(day, own.get(Number(project)) ?? retentionDays)) await blobs.deleteAll(`${prefix}${project}/`);
  }
}
