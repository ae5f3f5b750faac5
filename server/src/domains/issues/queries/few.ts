/**
 * Events that are few: all that is stored of them is read from beside their payloads. A statement that reads as many
 * columns takes the engine longer, the tags alone a third of it.
 */
import type { Events } from '../../../ports/events/events.ts';
import type { GroupEvent, Groups } from '../../../ports/event-index/event-index.ts';
import { type IndexedRow, readIndexed } from './indexed.ts';

/** Each may lie in a chunk of its own, which is decompressed whole: up to a millisecond of the main thread. */
export const mostFew = 12;

type FewKey = Pick<GroupEvent, 'hash' | 'at' | 'id'>;

/** All events of the groups, the newest first; undefined where there are more, or the engine is to be asked. */
export async function readFew(
  events: Pick<Events, 'index' | 'payloads'>,
  groups: Groups,
): Promise<readonly IndexedRow[] | undefined> {
  const keys = events.index?.newest(groups, mostFew + 1);
  return keys?.length ? readByKeys(events, groups.projectId, keys) : undefined;
}

/** In the order of the keys; undefined where they are many, or the engine is to be asked about any of them. */
export async function readByKeys(
  { index, payloads }: Pick<Events, 'index' | 'payloads'>,
  projectId: number,
  keys: readonly FewKey[],
): Promise<readonly IndexedRow[] | undefined> {
  if (!index || keys.length > mostFew) return undefined;
  const places = keys.map(({ id }) => index.placesOf(id));
  // What was sent twice the engine has twice.
  if (places.some(({ length }) => length !== 1)) return undefined;
  const rows = await readIndexed({ payloads }, places.flat());
  const found = keys.flatMap(({ hash, at, id }, which) => {
    const row = rows[which];
    const isIt =
      row?.project_id === projectId && row.group_hash === hash && row.timestamp === at && row.event_id === id;
    return isIt && index.isSure(projectId, hash) ? [row] : [];
  });
  return found.length === keys.length ? found : undefined;
}
