/** `latency`: how long it takes until an error that was sent can be seen, and how long Culprit takes to start. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { budgets } from './budgets.ts';
import { runLoad, startFloor } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Account, createApi, type Culprit, initCulprit, organization, startCulprit } from './culprit.ts';
import type { HttpClient } from './http-client.ts';
import { countStored, waitUntilStored } from './intake.ts';
import { followLiveStream, type Stored } from './live-stream.ts';
import type { LoadResult } from './load.ts';
import { processUse } from './processes.ts';
import { createReport, finding, type Finding, type Report } from './report.ts';
import { distribution } from './statistics.ts';
import { type CpuUse, idleAfterMs, measureCpu, type MemoryUse, readMemory } from './usage.ts';

export interface LatencyOptions {
  /** Events a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly starts: number;
  readonly dir?: string;
  readonly progress: (line: string) => void;
}

const connections = 16;
const encoding = 'identity';
const warmUpEvents = 1000;
/** At full speed, to compare with. */
const fullEvents = 10_000;
/** Looking more often, or after more events, would measure the looking. */
const lookEveryMs = 25;
const looksASecond = 2;
const giveUpMs = 30_000;

const now = (): number => performance.timeOrigin + performance.now();
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function runLatency(options: LatencyOptions): Promise<Report> {
  const { rate, seconds, starts, progress } = options;
  const dir = makeTempDir(options.dir);
  const dataDir = join(dir, 'data');
  progress('making the corpus');
  const corpus = join(dir, 'corpus');
  const warmUp = join(dir, 'warm-up');
  writeCorpusFile(warmUp, createCorpus({ seed: 999_983, count: warmUpEvents, encoding, nowMs: Date.now() }));
  const unseen = join(dir, 'unseen');
  writeCorpusFile(corpus, createCorpus({ seed: 1, count: rate * seconds, encoding, nowMs: Date.now() }));
  const full = join(dir, 'full');
  writeCorpusFile(full, createCorpus({ seed: 3, count: fullEvents, encoding, nowMs: Date.now() }));
  writeCorpusFile(unseen, createCorpus({ seed: 2, count: rate * seconds, encoding, nowMs: Date.now() }));

  let culprit = await startCulprit(dataDir);
  const first = culprit.readyMs;
  const account = await initCulprit(dataDir);
  const readyMs: number[] = [];
  const idle: MemoryUse[] = [];
  for (let start = 1; start <= starts; start++) {
    await culprit.stop();
    culprit = await startCulprit(dataDir);
    readyMs.push(culprit.readyMs);
    await delay(idleAfterMs);
    idle.push(readMemory(culprit));
    progress(`start ${start}: ready after ${Math.round(culprit.readyMs)} ms`);
  }
  const findings: Finding[] = [
    finding('start to ready, empty directory', 'ms', first, budgets.readyMs),
    finding('start to ready', 'ms', readyMs, budgets.readyAgainMs),
    finding(
      'memory (private dirty), idle',
      'MB',
      idle.map((use) => use.dirtyMb),
      budgets.idleMb,
    ),
    finding(
      'memory (PSS), idle',
      'MB',
      idle.map((use) => use.totalMb),
    ),
    finding(
      '… of the server',
      'MB',
      idle.map((use) => use.serverMb),
    ),
    finding(
      '… of the engine',
      'MB',
      idle.map((use) => use.engineMb),
    ),
  ];
  progress(`sending ${rate} events a second for ${seconds} s, twice, and to the floor`);
  const sending = { warmUp, unseen, corpus, full, rate, seconds };
  findings.push(...(await measureVisible(culprit, account, sending)));
  await culprit.stop();
  findings.push(finding('… of the floor', 'ms', await measureFloor(join(dir, 'floor'), sending)));
  removeTempDir(dir);
  return createReport('latency', { rate, seconds, connections }, findings, [
    `Seen through the API: looked for by id every ${lookEveryMs} ms, ${looksASecond} events a second. Through the stream: every event, counted in order.`,
  ]);
}

interface Sending {
  readonly warmUp: string;
  /** Sent while nobody looks. */
  readonly unseen: string;
  readonly corpus: string;
  /** Sent as fast as it is taken. */
  readonly full: string;
  readonly rate: number;
  readonly seconds: number;
}

async function measureVisible(
  culprit: Culprit,
  account: Account,
  { warmUp, unseen, corpus, full, rate, seconds }: Sending,
): Promise<Finding[]> {
  const api = createApi(culprit, account);
  const target = { encoding, connections, url: `${culprit.url}/api/${account.projectId}/envelope/`, key: account.key };
  const before = await countStored(api);
  await runLoad({ ...target, corpus: warmUp });
  await waitUntilStored(api, before + warmUpEvents);

  const used = measureCpu(culprit);
  const quiet = await runLoad({ ...target, corpus: unseen, rate });
  const cpu = used();
  await waitUntilStored(api, before + warmUpEvents + rate * seconds);

  const stream = await followLiveStream(culprit, account);
  const looking: Promise<number>[] = [];
  const load = await runLoad({
    ...target,
    corpus,
    rate,
    markEvery: Math.max(1, Math.round(rate / looksASecond)),
    onMark: ({ eventId, atMs }) => looking.push(timeUntilSeen(api, account, eventId, atMs)),
  });
  const seen = await Promise.all(looking);
  await waitUntilStored(api, before + warmUpEvents + 2 * rate * seconds);
  stream.close();
  const usedByFull = measureCpu(culprit);
  await runLoad({ ...target, corpus: full });
  await waitUntilStored(api, before + warmUpEvents + 2 * rate * seconds + fullEvents);
  const fullMs = cpuMs(usedByFull(), fullEvents);
  const quietMs = cpuMs(cpu, quiet.sent);
  api.close();
  const shown = distribution(seen);
  const streamed = distribution(streamDelays(stream.stored, load, rate));
  const quantiles = ['p50', 'p95', 'p99'] as const;
  return [
    ...quantiles.map((name) => finding(`ack ${name}`, 'ms', load.ack[name])),
    ...quantiles.map((name) =>
      finding(`seen through the API ${name}`, 'ms', shown[name], name === 'p95' ? budgets.visibleP95Ms : undefined),
    ),
    ...quantiles.map((name) =>
      finding(`told by the stream ${name}`, 'ms', streamed[name], name === 'p95' ? budgets.visibleP95Ms : undefined),
    ),
    finding('never seen', 'events', seen.filter((ms) => !Number.isFinite(ms)).length, budgets.lost),
    finding('not told by the stream', 'events', load.sent - streamed.count, budgets.lost),
    finding('processor time per event at full speed', 'ms', fullMs),
    finding('processor time per event at this rate', 'ms', quietMs),
    finding('… of that at full speed', '×', quietMs / fullMs, budgets.steadyOfFull),
    finding('… of the server', 'ms', (cpu.serverSeconds * 1000) / quiet.sent),
    finding('… of the engine', 'ms', (cpu.engineSeconds * 1000) / quiet.sent),
  ];
}

const cpuMs = ({ serverSeconds, engineSeconds }: CpuUse, events: number): number =>
  ((serverSeconds + engineSeconds) * 1000) / events;

/** What the least that there is to do takes of each event at this rate: a wake-up and a commit of its own, ms of processor. */
async function measureFloor(dir: string, { warmUp, unseen, rate }: Sending): Promise<number> {
  mkdirSync(dir);
  const floor = await startFloor(dir);
  const target = { encoding, connections, url: floor.url };
  await runLoad({ ...target, corpus: warmUp });
  const before = processUse(floor.pid).cpuSeconds;
  const { sent } = await runLoad({ ...target, corpus: unseen, rate });
  const used = processUse(floor.pid).cpuSeconds - before;
  await floor.stop();
  return (used * 1000) / sent;
}

/** ms from `sentAtMs` until the event's page has something to show; Infinity when it never has. */
async function timeUntilSeen(
  api: HttpClient,
  { project }: Account,
  eventId: string,
  sentAtMs: number,
): Promise<number> {
  while (now() - sentAtMs < giveUpMs) {
    const { status } = await api.get(`/api/0/projects/${organization}/${project}/events/${eventId}/`);
    if (status === 200) return now() - sentAtMs;
    await delay(lookEveryMs);
  }
  return Number.POSITIVE_INFINITY;
}

/** The k-th event sent was told of when the stream had told of k events; at a fixed rate it is known when that was sent. */
function streamDelays(stored: readonly Stored[], load: LoadResult, rate: number): number[] {
  const delays: number[] = [];
  let index = 0;
  for (const { atMs, count } of stored) {
    for (; index < count && index < load.sent; index++) delays.push(atMs - (load.startedAtMs + (index / rate) * 1000));
  }
  return delays;
}
