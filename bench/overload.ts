/**
 * `overload`: more is offered than can be stored. Answers must stay fast while the log takes the difference, the lag must
 * show, and once the offer stops it must fall as fast as events are stored otherwise; nothing may be lost or refused.
 */
import { join } from 'node:path';
import { budgets } from './budgets.ts';
import { runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { createApi, initCulprit, startCulprit } from './culprit.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { countStored, readBacklog, waitUntilStored } from './intake.ts';
import type { LoadResult } from './load.ts';
import { createReport, finding, type Report } from './report.ts';
import { measureOthers, readMemory, sampleEvery } from './usage.ts';

export interface OverloadOptions {
  /** Of what can be stored. */
  readonly percent: number;
  readonly seconds: number;
  readonly connections: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const encoding = 'identity';
const warmUpEvents = 2000;
/** Stored at full speed to know how much that is. */
const calibrationEvents = 10_000;
const sampleMs = 250;
/** A lag that is shown is at least so much of how long the oldest event waits. */
const honestLag = 0.5;

interface Sample {
  readonly atMs: number;
  readonly records: number;
  readonly lagSeconds: number;
}

export async function runOverload(options: OverloadOptions): Promise<Report> {
  const { percent, seconds, connections, progress } = options;
  const dir = makeTempDir(options.dir);
  const dataDir = join(dir, 'data');
  const corpus = join(dir, 'corpus');
  let seed = 0;
  const make = (count: number): void =>
    void writeCorpusFile(corpus, createCorpus({ seed: ++seed, count, encoding, nowMs: Date.now() }));
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir);
  const api = createApi(culprit, account);
  const target = { ...targetOf(culprit, account, kinds.errors), corpus, encoding, connections };
  const storeAll = async (rate?: number): Promise<{ load: LoadResult; atMs: number; missing: number }> => {
    const before = await countStored(api);
    const load = await runLoad({ ...target, ...(rate !== undefined && { rate }) });
    const accepted = load.statuses['200'] ?? 0;
    const { atMs, stored } = await waitUntilStored(api, before + accepted, { pollMs: sampleMs });
    return { load, atMs, missing: before + accepted - stored };
  };

  make(warmUpEvents);
  await storeAll();
  make(calibrationEvents);
  const full = await storeAll();
  const drained = calibrationEvents / ((full.atMs - full.load.startedAtMs) / 1000);
  const offered = Math.round((drained * percent) / 100);
  progress(`${Math.round(drained)} events a second are stored; offering ${offered} for ${seconds} s`);
  make(offered * seconds);
  const others = measureOthers();
  const samples: Sample[] = [];
  let memoryMb = 0;
  const sampling = sampleEvery(sampleMs, async () => {
    samples.push({ atMs: Date.now(), ...(await readBacklog(api)) });
    memoryMb = Math.max(memoryMb, readMemory(culprit).dirtyMb);
  });
  const { load, atMs, missing } = await storeAll(offered);
  await sampling.stop();
  const busy = others();
  api.close();
  await culprit.stop();
  removeTempDir(dir);

  const end = samples.findLast((sample) => sample.atMs <= load.finishedAtMs);
  const caughtUp = caughtUpPerSecond(samples, load.finishedAtMs, atMs);
  return createReport(
    'overload',
    { percent, seconds, connections },
    [
      finding('stored at full speed', 'events/s', drained),
      finding('offered', 'events/s', offered),
      finding('accepted', 'events/s', load.sent / ((load.finishedAtMs - load.startedAtMs) / 1000)),
      finding('ack p50', 'ms', load.ack.p50),
      finding('ack p95', 'ms', load.ack.p95),
      finding('ack p99', 'ms', load.ack.p99, budgets.overloadedAckP99Ms),
      finding('ack, slowest', 'ms', load.ack.max),
      finding('backlog when the offer stops', 'requests', end?.records ?? Number.NaN),
      finding('lag when the offer stops', 's', end?.lagSeconds ?? Number.NaN),
      finding('looks at which the lag is hidden', '', hiddenLags(samples, drained), budgets.lost),
      finding('stored after that', 'events/s', caughtUp),
      finding('… of what is stored at full speed', '×', caughtUp / drained, budgets.caughtUpOfDrained),
      finding('not accepted', 'requests', load.sent - (load.statuses['200'] ?? 0), budgets.lost),
      finding('lost', 'events', missing, budgets.lost),
      finding('memory (private dirty), largest', 'MB', memoryMb, budgets.loadedMb),
      finding('cores busy with something else', '', busy),
    ],
    [
      'Answers count from when a request was due. A lag is hidden where it is less than half of what the backlog takes.',
    ],
  );
}

/** How fast the backlog falls once nothing is offered any more. */
export function caughtUpPerSecond(samples: readonly Sample[], offerEndsMs: number, storedMs: number): number {
  const from = samples.find(({ atMs }) => atMs >= offerEndsMs);
  if (!from || storedMs <= from.atMs) return Number.NaN;
  return from.records / ((storedMs - from.atMs) / 1000);
}

/** Of samples with a backlog of more than a second. */
export const hiddenLags = (samples: readonly Sample[], perSecond: number): number =>
  samples.filter(
    ({ records, lagSeconds }) => records > perSecond && lagSeconds < Math.min(1, (honestLag * records) / perSecond),
  ).length;
