/** What takes how much of the disk and when that will be full: measured by a job each hour, and read without measuring. */
import { setTimeout as delay } from 'node:timers/promises';
import { reservedBytes, spaceOf } from '../../base/disk-usage.ts';
import type { Job } from '../../base/jobs/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { troubles as texts } from '../../base/texts/health.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { State } from '../../ports/state/state.ts';
import { type Forecast, forecast, type Growth, growthOf } from './forecast.ts';
import { noteMeasured, readReport, readSamples } from './history.ts';
import { measureDisk, type MeasuredStores } from './measure.ts';
import type { DiskReport } from './report.ts';

export interface DiskStatus {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Undefined until it was measured. */
  readonly report: DiskReport | undefined;
  readonly forecast: Forecast;
  /** What whoever runs it must know; '' for nothing. */
  readonly alarm: string;
}

export interface DiskUsage {
  /** Undefined where this machine has no disk for it. */
  status(): Promise<DiskStatus | undefined>;
  readonly job: Job;
}

export interface DiskUsageOptions extends MeasuredStores {
  readonly node: string;
  readonly state: State;
  readonly failures: Pick<Failures, 'note'>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** What comes with a start comes first. */
const firstMs = 15_000;
/** Measuring takes no more than such a part of the time. */
const restOfIt = 20;
const alarmMs = 7 * dayMs;
/** Whoever asks first waits for so long. */
const firstAnswerMs = 1_000;

export function createDiskUsage(options: DiskUsageOptions): DiskUsage {
  const { state, node, dataDir, failures } = options;
  let report: DiskReport | undefined;
  let growth: Growth | undefined;
  let reading: Promise<void> | undefined;
  let measuring: Promise<void> | undefined;
  let notBefore = 0;

  /** As an earlier run of the program has left it. */
  const readEarlier = async (): Promise<void> => {
    report = await readReport(state, node);
    growth = growthOf(await readSamples(state, node), Date.now());
  };

  async function measure(): Promise<void> {
    const measured = await measureDisk(options);
    const space = await spaceOf(dataDir);
    if (space)
      await noteMeasured(state, node, measured, {
        usedBytes: space.totalBytes - space.freeBytes,
        freeBytes: space.freeBytes,
      });
    report = measured;
    growth = growthOf(await readSamples(state, node), Date.now());
  }

  const measureOnce = (): Promise<void> => (measuring ??= measure().finally(() => (measuring = undefined)));

  async function status(): Promise<DiskStatus | undefined> {
    const space = await spaceOf(dataDir);
    if (!space) return undefined;
    await (reading ??= readEarlier().catch((error: unknown) => {
      // Another time the state store may answer.
      reading = undefined;
      throw error;
    }));
    if (!report)
      await Promise.race([measureOnce().catch(() => undefined), delay(firstAnswerMs, undefined, { ref: false })]);
    return judged(space, report, growth);
  }

  return {
    status,
    job: {
      name: 'disk-usage',
      title: jobTexts.diskUsage.title,
      // Each has its own.
      nodes: 'each',
      everyMs: hourMs,
      firstMs,
      needsEvents: true,
      failed: jobTexts.diskUsage.failed,
      async run() {
        if (performance.now() < notBefore) return;
        const began = performance.now();
        await measureOnce();
        notBefore = performance.now() + restOfIt * (performance.now() - began);
        const alarm = (await status())?.alarm ?? '';
        if (alarm !== '') failures.note(new Error(alarm), { message: alarm, atMostEveryMs: dayMs });
      },
    },
  };
}

function judged(
  space: { readonly freeBytes: number; readonly totalBytes: number },
  report: DiskReport | undefined,
  growth: Growth | undefined,
): DiskStatus {
  const nowMs = Date.now();
  const reserved = reservedBytes(space);
  const oldestLeavesAt = report?.stores.find(({ store }) => store === 'events')?.oldest?.leavesAt;
  const expected = forecast(growth, { nowMs, bytes: space.freeBytes - reserved, oldestLeavesAt });
  const isLow = space.freeBytes < reserved;
  const isSoon = expected.kind === 'full' && expected.at - nowMs < alarmMs;
  const alarm = isLow
    ? texts.disk(space.freeBytes / space.totalBytes)
    : isSoon
      ? texts.diskSoon((expected.at - nowMs) / dayMs)
      : '';
  return { ...space, report, forecast: expected, alarm };
}
