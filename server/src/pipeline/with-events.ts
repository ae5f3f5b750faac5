/** Files that came with events which are not stored: pictures of the screen and attachments say nothing without them. */
import type { ItemRow } from '../base/tables/items.ts';
import type { Sighted } from '../process/types.ts';
import type { BlobWrite, Computed } from './computed.ts';

interface Accompanied {
  readonly items: readonly ItemRow[];
  readonly blobs: readonly BlobWrite[];
  /** What goes, each with its event. */
  readonly gone: readonly { readonly item: ItemRow; readonly event: Sighted }[];
}

const accompanying: ReadonlySet<string> = new Set(['attachment', 'profile']);

const keyOf = ({ project_id, event_id }: Pick<ItemRow, 'project_id' | 'event_id'>): string =>
  `${project_id} ${event_id}`;

/** What is left of the files of a slice without `unstored`. */
export function withoutFilesOf({ items, blobs }: Computed, unstored: readonly Sighted[]): Accompanied {
  if (unstored.length === 0 || items.length === 0) return { items, blobs, gone: [] };
  const events = new Map(unstored.map((event) => [keyOf(event.row), event]));
  const gone = items.flatMap((item) => {
    const event = accompanying.has(item.item_type) && item.outcome === 'accepted' ? events.get(keyOf(item)) : undefined;
    return event ? [{ item, event }] : [];
  });
  if (gone.length === 0) return { items, blobs, gone };
  const goes = new Set(gone.map(({ item }) => item));
  const keys = new Set(gone.flatMap(({ item }) => item.blob_key || []));
  return {
    items: items.filter((item) => !goes.has(item)),
    blobs: blobs.filter(({ key }) => !keys.has(key)),
    gone,
  };
}
