import type { z } from 'zod';
import type { BackupHealth } from '../../domains/backups/index.ts';
import { type DiskStatus, horizonDays, usedBytes } from '../../domains/disk/index.ts';
import type { NodeEntry } from '../../domains/nodes/index.ts';
import type { JobReport } from '../../jobs/index.ts';
import { iso } from '../shared/read.ts';
import { troubles as texts } from '../../base/texts/health.ts';
import type * as contract from './contract.ts';

type Shown = z.output<typeof contract.Health>['jobs'][number];

export function toBackupState(health: BackupHealth | undefined): z.output<typeof contract.Health>['backup'] {
  if (!health || (!health.last && health.nextAt === null && !health.isRunning)) return null;
  const { last, nextAt, isRunning } = health;
  return {
    lastTaken: last && iso(last.at),
    durationMs: last?.durationMs ?? 0,
    sizeBytes: last?.bytes ?? 0,
    nextDue: nextAt === null ? null : iso(nextAt),
    running: isRunning,
  };
}

export function toBackgroundJob(job: JobReport, mayReadFailure: boolean): Shown {
  const { name, title, state, waiting, running, attempts, failure } = job;
  const time = (at: number | null): string | null => (at === null ? null : iso(at));
  return {
    name,
    title,
    state,
    lastBegan: time(job.beganAt),
    lastEnded: time(job.endedAt),
    nextDue: time(job.dueAt),
    waiting,
    running,
    attempts,
    failure: mayReadFailure || failure === '' ? failure : texts.hidden,
    dateFailed: time(job.failedAt),
  };
}

export const toNode = (one: NodeEntry): z.output<typeof contract.Health>['nodes'][number] => ({
  id: one.id,
  roles: [...one.roles],
  version: one.version,
  address: one.address,
  started: iso(one.startedAt),
  lastSeen: iso(one.seenAt),
  state: one.isGone ? 'gone' : 'running',
  stores: one.stores.map(({ store, state, since }) => ({ store, state, since: iso(since) })),
});

type ShownDisk = NonNullable<z.output<typeof contract.Health>['disk']>;

const shownProjects = 10;

/** `slugs`: of the projects that the caller sees. */
export function toDisk(
  { report, forecast, freeBytes, totalBytes }: DiskStatus,
  slugs: ReadonlyMap<number, string>,
): ShownDisk {
  return {
    usedBytes: report ? usedBytes(report) : null,
    freeBytes,
    totalBytes,
    measuredAt: report ? iso(report.at) : null,
    stores: (report?.stores ?? []).map(({ store, bytes, waitingBytes, isHere, oldest }) => ({
      store,
      bytes,
      waitingBytes,
      isHere,
      oldest: oldest ? iso(oldest.at) : null,
      oldestLeaves: oldest ? iso(oldest.leavesAt) : null,
    })),
    projects: (report?.projects ?? [])
      .flatMap(({ projectId, bytes }) => {
        const project = slugs.get(projectId);
        return project === undefined ? [] : [{ project, bytes }];
      })
      .slice(0, shownProjects),
    forecast: toForecast(forecast),
  };
}

function toForecast(forecast: DiskStatus['forecast']): ShownDisk['forecast'] {
  const at = (ms: number | null): string | null => (ms === null ? null : iso(ms));
  return {
    state: forecast.kind,
    horizonDays,
    bytesPerDay: forecast.kind === 'unknown' ? null : Math.round(forecast.growth.perDay),
    ...(forecast.kind === 'full'
      ? { full: at(forecast.at), earliest: at(forecast.earliest), latest: at(forecast.latest) }
      : { full: null, earliest: null, latest: null }),
  };
}
