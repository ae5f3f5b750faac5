/** `soak`: a steady rate for as long as one likes. Memory each minute, and whether it grows; whether events wait. */
import { join } from 'node:path';
import { budgets } from './budgets.ts';
import { runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { createApi, initCulprit, startCulprit } from './culprit.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { countStored, readBacklog, waitUntilStored } from './intake.ts';
import { createReport, finding, type Report } from './report.ts';
import { idleAfterMs, measureCpu, measureOthers, type MemoryUse, readMemory, sampleEvery } from './usage.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Events a second. */
  readonly rate: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const connections = 16;
const encoding = 'identity';
const minuteMs = 60_000;
const lagEveryMs = 5000;
/** Caches and pools have filled by then. */
const settledShare = 0.2;
/** Of less, the line is one through noise. */
const tellingMinutes = 30;

export async function runSoak(options: SoakOptions): Promise<Report> {
  const { minutes, rate, progress } = options;
  const dir = makeTempDir(options.dir);
  const dataDir = join(dir, 'data');
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir);
  const api = createApi(culprit, account);
  await new Promise((resolve) => setTimeout(resolve, idleAfterMs));
  const idle = readMemory(culprit);
  const memory: MemoryUse[] = [];
  let lagSeconds = 0;
  const others = measureOthers();
  const used = measureCpu(culprit);
  const watching = sampleEvery(lagEveryMs, async () => {
    lagSeconds = Math.max(lagSeconds, (await readBacklog(api)).lagSeconds);
  });
  const before = await countStored(api);
  let accepted = 0;
  let sent = 0;
  // A corpus a minute: one of an hour would be 9 GB.
  const corpusOf = (minute: number): string => join(dir, `corpus-${minute % 2}`);
  const make = (minute: number): void =>
    void writeCorpusFile(
      corpusOf(minute),
      createCorpus({ seed: minute, count: (rate * minuteMs) / 1000, encoding, nowMs: Date.now() }),
    );
  make(1);
  for (let minute = 1; minute <= minutes; minute++) {
    const loading = runLoad({
      ...targetOf(culprit, account, kinds.errors),
      corpus: corpusOf(minute),
      encoding,
      connections,
      rate,
    });
    if (minute < minutes) make(minute + 1);
    const load = await loading;
    sent += load.sent;
    accepted += load.statuses['200'] ?? 0;
    const now = readMemory(culprit);
    memory.push(now);
    progress(
      `minute ${minute}: private dirty ${Math.round(now.dirtyMb)} MB, PSS ${Math.round(now.totalMb)} MB (server ${Math.round(now.serverMb)}, engine ${Math.round(now.engineMb)}), lag at most ${lagSeconds.toFixed(2)} s`,
    );
  }
  const cpu = used();
  const busy = others();
  await watching.stop();
  const { stored } = await waitUntilStored(api, before + accepted);
  api.close();
  await culprit.stop();
  removeTempDir(dir);

  const settled = memory.slice(Math.floor(minutes * settledShare));
  const of = (part: keyof MemoryUse, from = settled): number[] => from.map((use) => use[part]);
  return createReport(
    'soak',
    { minutes, rate, connections },
    [
      finding('memory (private dirty), before', 'MB', idle.dirtyMb, budgets.idleMb),
      finding('memory (private dirty), each minute', 'MB', of('dirtyMb', memory), budgets.loadedMb),
      finding('memory (PSS), each minute', 'MB', of('totalMb', memory)),
      finding('… of the server', 'MB', of('serverMb', memory)),
      finding('… of the engine', 'MB', of('engineMb', memory)),
      finding(
        'private dirty grows by',
        'MB/hour',
        slopePerHour(of('dirtyMb')),
        minutes >= tellingMinutes ? budgets.soakGrowthMb : undefined,
      ),
      finding('… of the server (PSS)', 'MB/hour', slopePerHour(of('serverMb'))),
      finding('… of the engine (PSS)', 'MB/hour', slopePerHour(of('engineMb'))),
      finding('lag, largest', 's', lagSeconds, budgets.lagSeconds),
      finding('processor time per event', 'ms', ((cpu.serverSeconds + cpu.engineSeconds) * 1000) / sent),
      finding('not accepted', 'requests', sent - accepted, budgets.lost),
      finding('lost', 'events', before + accepted - stored, budgets.lost),
      finding('cores busy with something else', '', busy),
    ],
    [
      `Growth: the line through the minutes after the first ${settledShare * 100} %.`,
      `Private dirty, MB a minute: ${memory.map(({ dirtyMb }) => Math.round(dirtyMb)).join(' ')}.`,
      `PSS, MB a minute: ${memory.map(({ totalMb }) => Math.round(totalMb)).join(' ')}.`,
    ],
  );
}

/** Of the line with the least squares through values a minute apart; the steps between few of them would be noise. */
export function slopePerHour(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let rising = 0;
  let wide = 0;
  for (const [index, value] of values.entries()) {
    rising += (index - middle) * (value - mean);
    wide += (index - middle) ** 2;
  }
  return (rising / wide) * 60;
}
