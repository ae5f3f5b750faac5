/** Which mirrors Health warns of. Pure. */
import { mirrors as texts } from '../../base/texts/mirror.ts';
import type { Mirror } from './store.ts';

const longMs = 15 * 60_000;
const recentMs = 3_600_000;

/** `slugs` by id, of the projects that the reader sees. */
export function mirrorTroubles(
  mirrors: readonly Mirror[],
  slugs: ReadonlyMap<number, string>,
  nowMs: number,
): string[] {
  return mirrors.flatMap(({ projectId, enabled, target, failingSince, droppedAt }) => {
    const slug = slugs.get(projectId);
    if (!enabled || slug === undefined) return [];
    const host = target?.host ?? '?';
    if (failingSince !== null && nowMs - failingSince >= longMs)
      return [texts.failing(slug, host, nowMs - failingSince)];
    return droppedAt !== null && nowMs - droppedAt < recentMs ? [texts.dropping(slug, host)] : [];
  });
}
