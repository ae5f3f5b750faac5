/**
 * `storm`: many times what can be stored is offered, most of it of a few bugs. All of it must be accepted and counted, and
 * each bug that nobody has seen must be stored. Before that, the same without sampling, with and without limits of issues.
 */
import { join } from 'node:path';
import { budgets } from './budgets.ts';
import { runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { createStorm, hiddenFunction, newType } from './corpus/storm.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { createApi, initCulprit, startCulprit } from './culprit.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { readBacklog, waitUntilStored } from './intake.ts';
import { createReport, finding, type Report } from './report.ts';
import { limitedFindings } from './storm-limits.ts';
import { measureOthers, readMemory, sampleEvery } from './usage.ts';

export interface StormBenchOptions {
  /** Of what can be stored. */
  readonly percent: number;
  readonly seconds: number;
  readonly connections: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const calibrationEvents = 5_000;
const newEvery = 200;
const hidden = 50;
const sightings = 20;
const sampleMs = 500;

export async function runStorm(options: StormBenchOptions): Promise<Report> {
  const { percent, seconds, connections, progress } = options;
  const dir = makeTempDir(options.dir);
  const corpus = join(dir, 'corpus');
  const { drained, limited } = await calm(join(dir, 'calm'), { corpus, connections, seconds, progress });
  const offered = Math.round((drained * percent) / 100);
  const count = offered * seconds;
  progress(`${Math.round(drained)} events a second are stored; offering ${offered} for ${seconds} s`);
  const nowMs = Date.now();
  const summary = writeCorpusFile(corpus, createStorm({ seed: 2, count, nowMs, newEvery, hidden, sightings }));

  const dataDir = join(dir, 'storm');
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir, { CULPRIT_STORM_GUARD: 'on' });
  const api = createApi(culprit, account);
  const others = measureOthers();
  let memoryMb = 0;
  let keys = 0;
  let lagSeconds = 0;
  const sampling = sampleEvery(sampleMs, async () => {
    memoryMb = Math.max(memoryMb, readMemory(culprit).dirtyMb);
    lagSeconds = Math.max(lagSeconds, (await readBacklog(api)).lagSeconds);
    const metrics = (await api.get('/metrics')).text;
    keys = Math.max(keys, Number(/^culprit_storm_keys (\d+)$/m.exec(metrics)?.[1] ?? 0));
  });
  const target = { ...targetOf(culprit, account, kinds.errors), corpus, encoding: 'identity', connections };
  const load = await runLoad({ ...target, rate: offered });
  await sampling.stop();
  const accepted = load.statuses['200'] ?? 0;
  const seen = await waitUntilStored(api, 0, { pollMs: sampleMs });
  const [found] = (await culprit.engine(
    `SELECT count() AS stored, sum(1 + stands_for) AS weight,
       uniqExactIf(error_type, startsWith(error_type, '${newType}')) AS fresh,
       uniqExactArray(arrayFilter(name -> startsWith(name, '${hiddenFunction}'), stack_functions)) AS hidden FROM errors`,
  )) as Record<'stored' | 'weight' | 'fresh' | 'hidden', number>[];
  const busy = others();
  api.close();
  await culprit.stop();
  removeTempDir(dir);

  const of = { stored: 0, weight: 0, fresh: 0, hidden: 0, ...found };
  const fresh = Math.floor(load.sent / newEvery);
  return createReport(
    'storm',
    { percent, seconds, connections },
    [
      finding('stored without a storm', 'events/s', drained),
      finding('offered', 'events/s', offered),
      finding('accepted', 'events/s', accepted / ((load.finishedAtMs - load.startedAtMs) / 1000)),
      finding('answer, p50', 'ms', load.ack.p50),
      finding('answer, p99', 'ms', load.ack.p99),
      finding('not accepted', 'requests', load.sent - accepted, budgets.lost),
      finding('accepted and neither stored nor counted', 'events', accepted - Number(of.weight), budgets.lost),
      finding('stored', '% of what was accepted', (100 * Number(of.stored)) / accepted),
      finding('new keys that are missing', '', fresh - Number(of.fresh), budgets.lost),
      finding(`bugs behind a known key, of ${hidden}, each sent ${sightings} times`, '', Number(of.hidden)),
      finding('lag, largest', 's', lagSeconds),
      finding('until all was stored', 's', (seen.atMs - load.finishedAtMs) / 1000),
      finding('keys known at once', '', keys),
      finding('memory (private dirty), largest', 'MB', memoryMb),
      ...limited,
      finding('cores busy with something else', '', busy),
    ],
    [`Events of ${Math.round(summary.meanBytes / 1000)} kB; one in ${newEvery} is of a bug that nobody has seen.`],
  );
}

interface CalmOptions extends Pick<StormBenchOptions, 'connections' | 'seconds' | 'progress'> {
  readonly corpus: string;
}

async function calm(dataDir: string, { corpus, connections, seconds, progress }: CalmOptions) {
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir);
  const api = createApi(culprit, account);
  writeCorpusFile(corpus, createCorpus({ seed: 1, count: calibrationEvents, encoding: 'identity', nowMs: Date.now() }));
  const load = await runLoad({
    ...targetOf(culprit, account, kinds.errors),
    corpus,
    encoding: 'identity',
    connections,
  });
  const { atMs } = await waitUntilStored(api, load.statuses['200'] ?? 0);
  api.close();
  const drained = calibrationEvents / ((atMs - load.startedAtMs) / 1000);
  const events = Math.round(drained * seconds);
  const limited = await limitedFindings({ account, culprit, events, connections, corpus, progress });
  await culprit.stop();
  return { drained, limited };
}
