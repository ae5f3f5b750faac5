/** Lets whole parts go. Each step may be done twice, so what a kill broke off is done again from the start. */
import type { RetentionClass } from '../../base/retention.ts';
import { tableRecords } from '../../base/tables/index.ts';
import { deleteExpired } from '../../ports/blobs/retention.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { endOf, isWeek, mondayOf, partitionsOf, type StoredIn } from './stored.ts';

const dayMs = 86_400_000;

/** All of the class that is older, in whole weeks (of files, days). */
export async function dropBefore({ events, blobs }: StoredIn, name: RetentionClass, before: number): Promise<void> {
  // Nobody is to be sent to what is not there any more, so the index forgets it first, and payloads go last.
  const week = mondayOf(before);
  if (name === 'errors') await events.index?.dropBefore(week);
  const { onCluster } = layoutOf(events.address);
  for (const { table, partition } of await partitionsOf(events)) {
    if (tableRecords[table]?.retention !== name || !isWeek(partition) || (endOf(partition) ?? Infinity) > before)
      continue;
    // However large: the engine else refuses above 50 GB, so that nobody drops by mistake.
    await events.command(
      `ALTER TABLE ${table}${onCluster} DROP PARTITION ID '${partition}' SETTINGS max_partition_size_to_drop = 0`,
    );
  }
  if (name === 'errors') await events.payloads?.dropBefore(week - dayMs);
  if (name === 'attachments') await deleteExpired(blobs, 0, before);
}
