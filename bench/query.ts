/** `query`: how fast the API answers what the console's pages ask, with a small and with a large store. */
import { join } from 'node:path';
import { type Account, createApi, type Culprit, initCulprit } from './culprit.ts';
import { budgetOf, chooseSamples, openPages, pageKinds } from './query-calls.ts';
import { fillEvents, type FillOptions } from './query-fill.ts';
import { fillIssues } from './query-issues.ts';
import { sendEvents } from './query-send.ts';
import { storeTemplate } from './query-template.ts';
import { finding, type Finding, type Report } from './report.ts';
import { distribution } from './statistics.ts';
import { type Measured, measureStores, openFilled, type StoresOptions } from './stores.ts';
import { measureCpu, readMemory } from './usage.ts';

/** `filled.json` beside a filled store. */
export interface FilledWithEvents {
  /** By intake; by the engine otherwise, which leaves the index of events to be made anew. */
  readonly isSent: boolean;
  readonly account: Account;
  readonly payloadBytes: number;
  readonly fillSeconds: number;
}

/** A minute of intake. More are made by the engine. */
const mostSent = 100_000;
const mergesWithinMs = 15 * 60_000;
const settledPolls = 5;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Filled at once, the store has much to merge that in use it would have merged long ago. */
async function waitForMerges(culprit: Culprit, progress: StoresOptions['progress']): Promise<void> {
  let quiet = 0;
  let lines = 0;
  for (const deadline = Date.now() + mergesWithinMs; quiet < settledPolls && Date.now() < deadline;) {
    const [row] = await culprit.engine<{ merges: number }>('SELECT count() AS merges FROM system.merges');
    quiet = row?.merges ? 0 : quiet + 1;
    if (row?.merges && lines++ % 15 === 0) progress(`${row.merges} merges under way`);
    await delay(1000);
  }
}

/** Until events are found without the engine, as they would be long since where they came one after the other. */
async function waitUntilIndexed(
  culprit: Culprit,
  { account }: FilledWithEvents,
  progress: StoresOptions['progress'],
): Promise<void> {
  const api = createApi(culprit, account);
  for (const deadline = Date.now() + mergesWithinMs; Date.now() < deadline;) {
    const { jobs } = JSON.parse((await api.get('/api/0/health/')).text) as { jobs: readonly IndexJob[] };
    if (jobs.some(({ name, lastEnded, running }) => name === 'event-index' && lastEnded && !running)) break;
    await delay(1000);
  }
  api.close();
  progress('events are indexed');
}

interface IndexJob {
  readonly name: string;
  readonly lastEnded: string | null;
  readonly running: number | null;
}

/** Weeks that have gone quiet, which the engine would have merged into one part each after a day. */
async function mergeQuietWeeks(culprit: Culprit, progress: StoresOptions['progress']): Promise<void> {
  const weeks = await culprit.engine<{ id: string }>(
    `SELECT partition_id AS id FROM system.parts WHERE active AND database = currentDatabase() AND table = 'errors'
     GROUP BY id HAVING count() > 1 AND toMonday(now()) > toDate(any(partition)) ORDER BY id`,
  );
  for (const { id } of weeks) {
    await culprit.engine(`OPTIMIZE TABLE errors PARTITION ID '${id}' FINAL`);
    progress(`week ${id} merged`);
  }
}

/** What a store is filled with where the engine makes it. */
export type Made = Pick<FillOptions, 'inSegments' | 'person'>;

async function fillWithEvents(
  dataDir: string,
  culprit: Culprit,
  { events, made }: { readonly events: number; readonly made: Made | undefined },
  progress: StoresOptions['progress'],
): Promise<FilledWithEvents> {
  const account = await initCulprit(dataDir);
  await storeTemplate(culprit, account);
  const started = performance.now();
  const asked = { culprit, dataDir, account, events, nowMs: Date.now(), progress };
  const isSent = !made && events <= mostSent;
  const payloadBytes = await (isSent ? sendEvents(asked) : fillEvents({ ...asked, ...made }));
  if (!isSent) await fillIssues(culprit, dataDir, progress);
  return { isSent, account, payloadBytes, fillSeconds: (performance.now() - started) / 1000 };
}

/** A running Culprit with so many events, as it is once the work that came with them is done; made by the engine with `made`. */
export async function openWithEvents(
  dataDir: string,
  events: number,
  progress: StoresOptions['progress'],
  made?: Made,
): Promise<{ readonly culprit: Culprit; readonly filled: FilledWithEvents }> {
  const { culprit, filled, fresh } = await openFilled<FilledWithEvents>(
    dataDir,
    (started) => fillWithEvents(dataDir, started, { events, made }, progress),
    ({ isSent }) => isSent,
  );
  await waitForMerges(culprit, progress);
  if (fresh) await mergeQuietWeeks(culprit, progress);
  await waitUntilIndexed(culprit, filled, progress);
  return { culprit, filled };
}

async function measureSize(root: string, events: number, { calls, progress }: StoresOptions): Promise<Measured> {
  const dataDir = join(root, String(events));
  const { culprit, filled } = await openWithEvents(dataDir, events, progress);

  const samples = await chooseSamples(culprit, dataDir, calls);
  const api = createApi(culprit, filled.account);
  const findings: Finding[] = [];
  const notes: string[] = [];
  const label = `${events.toLocaleString('en-US')} events`;
  for (const kind of pageKinds) {
    const cpuSince = measureCpu(culprit);
    const { durationsMs, opened, failures, meanBytes } = await openPages(api, kind, samples, calls);
    const { engineSeconds, serverSeconds } = cpuSince();
    const [engineMs, serverMs] = [(engineSeconds * 1000) / opened, (serverSeconds * 1000) / opened];
    const { p50, p95, max } = distribution(durationsMs);
    findings.push(
      finding(`${kind.name} p50, ${label}`, 'ms', p50),
      finding(`${kind.name} p95, ${label}`, 'ms', p95, budgetOf(kind, events)),
      finding(`${kind.name} processor time of the engine, ${label}`, 'ms', engineMs),
      finding(`${kind.name} processor time of the server, ${label}`, 'ms', serverMs),
    );
    progress(
      `${kind.name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, largest ${max.toFixed(1)} ms, processor ${engineMs.toFixed(1)} + ${serverMs.toFixed(1)} ms, ${Math.round(meanBytes / 1024)} kB`,
    );
    if (failures.size)
      notes.push(
        `${kind.name}, ${label}: ${[...failures].map(([status, count]) => `${count} answers were ${status}`).join(', ')}.`,
      );
  }
  api.close();
  const memory = readMemory(culprit);
  const [stored] = await culprit.engine<{ groups: number }>('SELECT uniqExact(group_hash) AS groups FROM errors');
  const [store] = await culprit.engine<{ rows: number; bytes: number; parts: number }>(
    "SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts WHERE active AND database = currentDatabase() AND table = 'errors'",
  );
  await culprit.stop();
  findings.push(finding(`memory (PSS) after the calls, ${label}`, 'MB', memory.totalMb));
  notes.push(
    `${label}: ${stored?.groups ?? 0} groups, an event ${filled.payloadBytes} bytes, ${filled.isSent ? 'sent' : 'made by the engine'} in ${Math.round(filled.fillSeconds)} s; ` +
      `errors: ${store?.rows ?? 0} rows, ${Math.round((store?.bytes ?? 0) / 2 ** 20)} MB, ${store?.parts ?? 0} parts; start to ready ${Math.round(culprit.readyMs)} ms.`,
  );
  return { findings, notes };
}

export const runQuery = (options: StoresOptions): Promise<Report> =>
  measureStores('query', 'events', options, (root, size) => measureSize(root, size, options));
