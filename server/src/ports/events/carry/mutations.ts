/**
 * Changes of rows that say where payloads lie. The engine makes them in the background, one after the other, each part of
 * the table as a whole; one that was begun goes on after a restart.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Events } from '../events.ts';

interface Pending {
  readonly id: string;
  /** Why the engine could not do it the last time it tried, and when; '' for none. */
  readonly failure: string;
  readonly failedAt: string;
}

/** They all name the column. Others, such as deletions, do not. */
export const pendingPlacements = (events: Pick<Events, 'query'>): Promise<Pending[]> =>
  events.query<Pending>(
    `SELECT mutation_id AS id, latest_fail_reason AS failure, toString(latest_fail_time) AS failedAt FROM system.mutations
     WHERE database = currentDatabase() AND table = 'errors' AND NOT is_done AND NOT is_killed
       AND command LIKE '%payload_segment%'`,
  );

const firstPollMs = 50;
const longestPollMs = 2_000;
/** The engine tries again by itself what it has no memory for at the moment. Meanwhile nothing else can be deleted. */
const maxFailures = 4;

/** Waits for what the engine is at. What it cannot do is given up, so that it does not stand in the way of deletions. */
export async function settlePlacements(events: Events, signal: AbortSignal): Promise<void> {
  const failures = new Set<string>();
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    signal.throwIfAborted();
    const pending = await pendingPlacements(events);
    if (pending.length === 0) return;
    const failed = pending.find(({ failure }) => failure !== '');
    if (failed) failures.add(failed.failedAt);
    if (failed && failures.size >= maxFailures) {
      for (const { id } of pending) await giveUp(events, id);
      throw new Error(`could not write the payload positions of rows: ${failed.failure}`);
    }
    await delay(pollMs, undefined, { signal });
  }
}

const giveUp = (events: Events, id: string): Promise<void> =>
  events.command(
    `KILL MUTATION WHERE database = currentDatabase() AND table = 'errors' AND mutation_id = {id:String}`,
    { id },
  );

/** Resolves when all rows have it. */
export async function changeRows(
  events: Events,
  week: string,
  { assignments, condition }: { readonly assignments: string; readonly condition: string },
  signal: AbortSignal,
): Promise<void> {
  if (!/^\d{8}$/.test(week)) throw new Error(`${week} is no week of the table`);
  signal.throwIfAborted();
  await events.command(
    `ALTER TABLE errors UPDATE ${assignments} IN PARTITION ID '${week}' WHERE ${condition} SETTINGS mutations_sync = 0`,
  );
  await settlePlacements(events, signal);
}
