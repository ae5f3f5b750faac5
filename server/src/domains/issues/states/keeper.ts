/**
 * Moves issues on by time and by the number of their events. Several nodes may do so at once: each change holds only while the issue is as it was read. What a node knew of when it died is looked for again.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Job } from '../../../base/jobs/index.ts';
import type { Live } from '../../../base/live.ts';
import type { IssueStores } from '../types.ts';
import { publish } from './change.ts';
import { moveByTime } from './time.ts';
import { type Forecasts, moveByVolume } from './volume.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';

const leastPauseMs = 1_000;
const longestPauseMs = 5_000;
/** Asking takes at most this share of the time. */
const share = 1 / 20;
/** Issues that got events and were not looked at yet; of more than these the next events tell. */
const maxTouched = 100_000;
/** What may have been missed before the start. */
const missedMs = 3_600_000;
const maxMissed = 10_000;

export interface StateKeeperOptions extends IssueStores {
  readonly live: Live;
}

export function createStateKeeper({ state, events, live }: StateKeeperOptions): Job {
  const touched = new Set<number>();
  const forecasts: Forecasts = new Map();
  let looked = false;

  const unsubscribe = live.subscribe((message) => {
    if (message.type === 'missed') looked = false;
    if (message.type !== 'events') return;
    for (const id of message.issueIds) if (touched.size < maxTouched) touched.add(id);
  });

  async function tick(signal: AbortSignal): Promise<void> {
    for (let more = true; more && !signal.aborted;) {
      const moved = await moveByTime(state, Date.now());
      publish(live, moved.changed);
      more = moved.more;
      // A state store in this thread answers at once: without this, nobody else would come in between.
      if (more) await breathe();
    }
    if (!looked) {
      for (const id of await missed()) touched.add(id);
      looked = true;
    }
    if (!touched.size) return;
    const ids = [...touched];
    touched.clear();
    try {
      publish(live, await moveByVolume({ state, events }, ids, Date.now(), forecasts));
    } catch (error) {
      for (const id of ids) touched.add(id);
      throw error;
    }
  }

  async function missed(): Promise<number[]> {
    const rows = await state.db
      .selectFrom('issue')
      .select('id')
      .where('last_seen', '>=', Date.now() - missedMs)
      .where('substatus', 'in', ['ongoing', 'archived_until_escalating', 'archived_until_condition_met'])
      .orderBy('last_seen', 'desc')
      .limit(maxMissed)
      .execute();
    return rows.map((row) => row.id);
  }

  return {
    name: 'issue-states',
    title: jobTexts.issueStates.title,
    nodes: 'each',
    everyMs: longestPauseMs,
    needsEvents: true,
    failed: jobTexts.issueStates.failed,
    async run({ signal }) {
      const began = performance.now();
      await tick(signal);
      return Date.now() + Math.max(leastPauseMs, (performance.now() - began) / share);
    },
    async close() {
      unsubscribe();
    },
  };
}
