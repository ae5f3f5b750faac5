/** Writes what is accepted, or in a storm counts it with what is written. */
import type { IngestKey } from '../keys.ts';
import type { Exchange, Ingest } from '../exchange.ts';
import type { ScannedItem } from '../scan.ts';
import type { StandsFor } from '../../base/stands-for.ts';

export const stormReason = 'storm';

export interface Guarded {
  readonly items: readonly ScannedItem[];
  /** Of the items. */
  readonly event: ScannedItem;
  /** Of the event; undefined where it is too large to look at. */
  readonly payload: Uint8Array | undefined;
  /** Writes some of the items. Resolves when they are on disk. */
  readonly write: (items: readonly ScannedItem[], standsFor?: StandsFor) => Promise<unknown>;
}

/** The one of the items that a storm is about; also counts it. Undefined outside a storm. */
export function eventOfStorm(
  { storm }: Pick<Ingest, 'storm'>,
  key: IngestKey,
  items: readonly ScannedItem[],
): ScannedItem | undefined {
  if (!storm) return undefined;
  for (const item of items) if (item.type.name === 'event') return storm.note(key.projectId) ? item : undefined;
  return undefined;
}

/** Resolves when the items are on disk, or the event that stands for theirs. Throws LOG_FULL. */
export async function writeGuarded(
  { storm, outcomes }: Pick<Ingest, 'storm' | 'outcomes'>,
  { remoteAddress }: Pick<Exchange, 'remoteAddress'>,
  key: IngestKey,
  { items, event, payload, write }: Guarded,
): Promise<void> {
  const cheap = payload && storm?.read(payload);
  const [own, rest] = [items.filter((item) => isOf(item, event)), items.filter((item) => !isOf(item, event))];
  let isWritten = false;
  const gathered =
    cheap &&
    storm?.gather({
      projectId: key.projectId,
      key: cheap.key,
      variant: cheap.variant,
      met: { user: cheap.user, address: remoteAddress },
      write(standsFor) {
        isWritten = true;
        return write(own, standsFor);
      },
    });
  if (!gathered) {
    await write(items);
    return;
  }
  // What has nothing to do with the event is not lost with it.
  await Promise.all([gathered, rest.length > 0 ? write(rest) : undefined]);
  if (isWritten) return;
  for (const { type, quantity } of own) {
    // Events are counted by who stands for them.
    if (type !== event.type) outcomes.count(key, type.category, 'filtered', stormReason, quantity);
  }
}

/** The event and its files. */
const isOf = (item: ScannedItem, event: ScannedItem): boolean => item === event || item.type.category === 'attachment';
