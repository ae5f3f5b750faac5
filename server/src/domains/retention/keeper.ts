/** The job that keeps each class within its age and size, and knows what is stored of it. */
import { reservedBytes, spaceOf } from '../../base/disk-usage.ts';
import { createAlarm, type Job } from '../../base/jobs/index.ts';
import { retentionClasses } from '../../base/retention.ts';
import type { Failures } from '../../base/self/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import { retentionTexts } from '../../base/texts/retention.ts';
import type { Events } from '../../ports/events/events.ts';
import { keepRows } from '../../ports/events/migrations/index.ts';
import type { State } from '../../ports/state/state.ts';
import { dropBefore } from './drop.ts';
import { type DropReason, endDrop, listDrops, noteDrop, openDrops } from './drops.ts';
import { type Gone, goesBy, goesForRoom } from './goes.ts';
import { agesOf, longestOf } from './ages.ts';
import { keepingOf } from './keeping.ts';
import { readRules, type Rules } from './settings.ts';
import { measureStored, noteStored, type StoredIn, type StoredReport } from './stored.ts';

export interface KeeperOptions extends StoredIn {
  readonly events: Events;
  readonly state: State;
  readonly dataDir: string;
  /** The configuration's. */
  readonly retentionDays: number;
  readonly failures: Pick<Failures, 'note'>;
  /** Whether nothing may go just now, as while a project is held. */
  readonly isHeld?: () => Promise<boolean>;
  /** Deletes what is past its age where parts stay; also while nothing else may go. */
  readonly deleteOverdue?: (signal: AbortSignal) => Promise<void>;
}

export interface RetentionKeeper {
  readonly job: Job;
  /** What is settled has changed. Resolves when nothing goes any more that is kept for longer now. */
  changed(): Promise<void>;
}

const hourMs = 3_600_000;
const firstMs = 60_000;
/** The engine removes files of a dropped part minutes later: until then the disk looks as full as it was. */
const roomAgainMs = hourMs / 2;

export function createRetentionKeeper(options: KeeperOptions): RetentionKeeper {
  const { state, events, failures, retentionDays } = options;
  const alarm = createAlarm();

  const measure = async (): Promise<StoredReport> => {
    const report = await measureStored(options, Date.now());
    await noteStored(state, report);
    return report;
  };

  /** True where something went. */
  async function carryOut(signal: AbortSignal): Promise<boolean> {
    const open = await openDrops(state);
    for (const { id, name, before, bytes, reason } of open) {
      if (signal.aborted) return true;
      await dropBefore(options, name, before);
      await endDrop(state, id, Date.now());
      const message = retentionTexts.dropped(name, before, bytes, reason);
      failures.note(new Error(message), { message, atMostEveryMs: 24 * hourMs });
    }
    return open.length > 0;
  }

  async function ageOut(report: StoredReport): Promise<boolean> {
    let isLess = false;
    for (const name of retentionClasses) {
      // Somebody may have chosen a longer age since the last one.
      const days = longestOf((await agesOf(state, retentionDays))[name]);
      // Months of counts go by the TTL alone.
      const units = report.classes[name].units.filter(({ bySize }) => bySize);
      const { before } = goesBy({ units }, { days, limitBytes: null }, report.at);
      if (before === null || (await options.isHeld?.())) continue;
      await dropBefore(options, name, report.at - days * 24 * hourMs);
      isLess = true;
    }
    return isLess;
  }

  async function noteWhatGoes(rules: Rules, report: StoredReport): Promise<void> {
    const note = async (name: (typeof retentionClasses)[number], gone: Gone, reason: DropReason): Promise<void> => {
      const { before } = gone;
      if (before !== null) await noteDrop(state, name, { ...gone, before }, { reason, now: report.at });
    };
    for (const name of retentionClasses) {
      const { limitBytes } = rules[name];
      if (limitBytes !== null)
        await note(name, goesBy(report.classes[name], { days: Infinity, limitBytes }, report.at), 'size');
    }
    const missing = await missingBytes(report.at);
    if (missing === 0) return;
    const limited = retentionClasses.filter((name) => rules[name].limitBytes !== null);
    for (const [name, gone] of goesForRoom(report.classes, limited, missing, report.at)) await note(name, gone, 'disk');
  }

  /** Of the disk below what is left to others; 0 where it is of another machine. */
  async function missingBytes(now: number): Promise<number> {
    if (events.address.payloadsDir === undefined) return 0;
    const space = await spaceOf(options.dataDir);
    if (!space) return 0;
    const last = (await listDrops(state)).find(({ createdAt }) => createdAt > now - roomAgainMs);
    return last ? 0 : Math.max(0, reservedBytes(space) - space.freeBytes);
  }

  return {
    async changed() {
      try {
        await keepRows(events, await keepingOf(state, retentionDays));
      } catch (error) {
        // A store that does not answer lets nothing go either, and the job does it once it does.
        failures.note(error, { message: jobTexts.retention.failed });
      }
      alarm.ring();
    },
    job: {
      name: 'retention',
      title: jobTexts.retention.title,
      nodes: 'one',
      everyMs: hourMs,
      firstMs,
      needsEvents: true,
      alarm,
      failed: jobTexts.retention.failed,
      async run({ signal }) {
        const rules = await readRules(state);
        let report = await measure();
        if (await options.isHeld?.()) {
          await options.deleteOverdue?.(signal);
          return;
        }
        await keepRows(events, await keepingOf(state, retentionDays));
        // What an earlier run was at comes first: what it noted is not to be noted again.
        if (await carryOut(signal)) report = await measure();
        if (await ageOut(report)) report = await measure();
        await noteWhatGoes(rules, report);
        if (await carryOut(signal)) await measure();
        await options.deleteOverdue?.(signal);
      },
    },
  };
}
