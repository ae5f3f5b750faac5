/**
 * What the way back from an upgrade costs: an event while the log retains what it gets, and, of a data directory that is
 * named, the restore point. It is made in a copy of the directory.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { testSecrets } from '../server/src/base/secrets/testing.ts';
import { openLmdbLog } from '../server/src/ports/queue/lmdb.ts';
import { ownBytes, prepareDataDir } from '../server/src/ports/restore-points/index.ts';
import { createReport, type Finding, finding, type Report } from './report.ts';
import { distribution } from './statistics.ts';

interface UpgradeOptions {
  readonly events: number;
  readonly rounds: number;
  /** Of a record. */
  readonly bytes: number;
  /** '' for the system's. */
  readonly dir: string;
  /** '' for none. */
  readonly dataDir: string;
  readonly progress: (line: string) => void;
}

const box = testSecrets.boxSetup('log record');
const logMaxBytes = 2 ** 31;
const connections = 64;

interface Run {
  readonly cpuUs: number;
  readonly p50: number;
  readonly p99: number;
}

export async function runUpgrade(options: UpgradeOptions): Promise<Report> {
  const { events, rounds, bytes, dataDir, progress } = options;
  const runs = { without: [] as Run[], retained: [] as Run[] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['without', 'retained'] as const) {
      const run = await appendAll(options, name === 'retained');
      // The first one warms up.
      if (round > 0) runs[name].push(run);
    }
    progress(`round ${round} of ${rounds}`);
  }
  const of = (name: keyof typeof runs, what: keyof Run): number[] => runs[name].map((run) => run[what]);
  const findings = [
    finding('processor time of the log, per event', 'µs', of('without', 'cpuUs')),
    finding('… while it retains them', 'µs', of('retained', 'cpuUs')),
    finding('event on disk, p50', 'ms', of('without', 'p50')),
    finding('… while it retains them', 'ms', of('retained', 'p50')),
    finding('event on disk, p99', 'ms', of('without', 'p99')),
    finding('… while it retains them', 'ms', of('retained', 'p99')),
    ...(dataDir ? await restorePointOf(dataDir) : []),
  ];
  return createReport('upgrade', { events, rounds, bytes }, findings, []);
}

/** Appends, leases and acknowledges side by side. */
async function appendAll({ events, bytes, dir: place }: UpgradeOptions, isRetained: boolean): Promise<Run> {
  const dir = await mkdtemp(join(place || tmpdir(), 'culprit-bench-'));
  const retain = isRetained ? { from: 1, maxBytes: Number.MAX_SAFE_INTEGER } : undefined;
  const log = await openLmdbLog({ dir, box, limitBytes: logMaxBytes, retain });
  const value = Buffer.alloc(bytes, 'a body of an envelope ');
  const times: number[] = [];
  let left = events;
  const append = async (): Promise<void> => {
    while (left-- > 0) {
      const begin = performance.now();
      await log.append(value);
      times.push(performance.now() - begin);
    }
  };
  const drain = async (): Promise<void> => {
    for (let gone = 0; gone < events;) {
      const batch = await log.lease({ maxRecords: 4_000, maxBytes: 2 ** 26, pieceBytes: 1 });
      if (batch) await log.acknowledge(batch);
      gone += batch?.size ?? 0;
      await delay(100);
    }
  };
  const before = process.cpuUsage();
  await Promise.all([drain(), ...Array.from({ length: connections }, append)]);
  const { user, system } = process.cpuUsage(before);
  await log.close();
  await rm(dir, { recursive: true });
  const { p50, p99 } = distribution(times);
  return { cpuUs: (user + system) / events, p50, p99 };
}

async function restorePointOf(dataDir: string): Promise<Finding[]> {
  const copy = `${dataDir}-bench`;
  await cp(dataDir, copy, { recursive: true, verbatimSymlinks: true });
  try {
    const { point, failure } = await prepareDataDir({ dataDir: copy, logMaxBytes, wanted: true, box: async () => box });
    if (!point) throw new Error(failure ?? 'the directory is of this version already');
    return [
      finding('restore point: files', '', point.files),
      finding('… linked', 'MB', point.linkedBytes / 1e6),
      finding('… copied', 'MB', point.copiedBytes / 1e6),
      finding('… takes on disk', 'MB', (await ownBytes(copy, point)) / 1e6),
      finding('… made in', 'ms', point.tookMs),
    ];
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
