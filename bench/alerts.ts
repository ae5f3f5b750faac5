/** `alerts`: how long after an event was received a rule has fired, and what evaluating many rules costs beside the pipeline. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { eventsOfProbe, probeRules, probeTag, ruleMix } from './alerts-rules.ts';
import { budgets } from './budgets.ts';
import { runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Account, createApi, type Culprit, getJson, initCulprit, organization, startCulprit } from './culprit.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { inspected, openInspector } from './inspector.ts';
import { countStored, waitUntilStored } from './intake.ts';
import type { LoadResult } from './load.ts';
import { createReport, finding, type Finding, type Report } from './report.ts';
import { costsOf } from './statements.ts';
import { distribution } from './statistics.ts';
import { type CpuUse, measureCpu, readMemory } from './usage.ts';

export interface AlertsOptions {
  readonly rules: number;
  /** Events a second. */
  readonly rate: number;
  /** Of each of the two turns. */
  readonly seconds: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const connections = 16;
const encoding = 'identity';
const warmUpEvents = 1000;
const probeEveryMs = 500;
/** So long it is listened to what is asked of the engine. */
const askedSeconds = 10;
const shownStatements = 12;
/** What has not fired by then never will. */
const waitMs = 60_000;
const now = (): number => performance.timeOrigin + performance.now();
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function runAlerts(options: AlertsOptions): Promise<Report> {
  const { rules, rate, seconds, progress } = options;
  const dir = makeTempDir(options.dir);
  progress('making the corpus');
  const corpora = [seconds, seconds, askedSeconds].map((length, index) => {
    const file = join(dir, `corpus-${index}`);
    writeCorpusFile(file, createCorpus({ seed: index + 1, count: rate * length, encoding, nowMs: Date.now() }));
    return file;
  });
  const warmUp = join(dir, 'warm-up');
  writeCorpusFile(warmUp, createCorpus({ seed: 999_983, count: warmUpEvents, encoding, nowMs: Date.now() }));
  const dataDir = join(dir, 'data');
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir, inspected);
  const api = createApi(culprit, account);
  const turn = createTurn(culprit, account, api, options);
  await turn.load(warmUp, warmUpEvents);
  progress(`sending ${rate} events a second for ${seconds} s without rules`);
  // New issues are sent in both turns, so that what they cost the pipeline is not taken for evaluation.
  const unwatched = startProbes(culprit, account);
  const alone = await turn.load(corpora[0] ?? '', rate * seconds, rate);
  await unwatched.stop();
  progress(`making ${rules} rules`);
  for (const body of ruleMix(rules)) await makeRule(api, body);
  // The first look at each of them is behind it.
  await delay(15_000);
  const atRest = measureCpu(culprit);
  await delay(10_000);
  const rest = atRest();
  progress('the same with them');
  const probes = startProbes(culprit, account);
  const beside = await turn.load(corpora[1] ?? '', rate * seconds, rate);
  const sent = await probes.stop();
  progress('waiting for what fires late');
  const fired = await firingsOf(api, sent);
  const memory = readMemory(culprit);
  progress(`which statements it asks, for another ${askedSeconds} s`);
  const inspector = await openInspector(dataDir);
  const statements = await inspector.statements(async () => {
    await turn.load(corpora[2] ?? '', rate * askedSeconds, rate);
  });
  inspector.close();
  const costs = await costsOf(culprit, statements);
  api.close();
  await culprit.stop();
  removeTempDir(dir);

  const [before, after] = [cpuOf(alone.cpu), cpuOf(beside.cpu)];
  const findings: Finding[] = Object.entries(probeRules).flatMap(([kind, name]) => {
    const delays = sent.flatMap(({ title, firstAtMs, lastAtMs }) => {
      const at = fired.get(`${name} ${title}`);
      return at === undefined ? [] : at - (kind === 'counted' ? lastAtMs : firstAtMs);
    });
    const found = distribution(delays);
    return [
      finding(`${name}: received to fired p50`, 'ms', found.p50),
      finding(`${name}: received to fired p95`, 'ms', found.p95, kind === 'counted' ? undefined : budgets.alertP95Ms),
      finding(`${name}: never fired`, 'issues', sent.length - delays.length, budgets.lost),
    ];
  });
  findings.push(
    finding('processor time per event without rules', 'ms', (before * 1000) / alone.load.sent),
    finding('processor time per event with them', 'ms', (after * 1000) / beside.load.sent),
    finding('share of evaluation in that of the pipeline', '%', (100 * (after - before)) / before, budgets.alertShare),
    finding('… of the server', '%', (100 * (beside.cpu.serverSeconds - alone.cpu.serverSeconds)) / before),
    finding('… of the engine', '%', (100 * (beside.cpu.engineSeconds - alone.cpu.engineSeconds)) / before),
    finding('processor time of evaluation, nothing sent', 'ms/s', cpuOf(rest) * 100),
    finding('acknowledged p95 without rules', 'ms', alone.load.ack.p95),
    finding('acknowledged p95 with them', 'ms', beside.load.ack.p95),
    finding('memory (private dirty) afterwards', 'MB', memory.dirtyMb, budgets.loadedMb),
  );
  return createReport('alerts', { rules, rate, seconds }, findings, [
    `${sent.length} issues were made for the measurement, one each ${probeEveryMs} ms; of ten rules four count events or users in 1 to 1,440 minutes, three wait for something that happens, three are about metrics.`,
    `Statements of the main thread in ${askedSeconds} s of load, and processor time of the engine for one, asked again: ${costs
      .slice(0, shownStatements)
      .map(({ words, count, us }) => `${count} × ${(us / 1000).toFixed(1)} ms ${words}`)
      .join('; ')}.`,
  ]);
}

const cpuOf = ({ serverSeconds, engineSeconds }: CpuUse): number => serverSeconds + engineSeconds;

interface Loaded {
  readonly load: LoadResult;
  readonly cpu: CpuUse;
}

function createTurn(culprit: Culprit, account: Account, api: HttpClient, { progress }: AlertsOptions) {
  return {
    async load(corpus: string, events: number, rate?: number): Promise<Loaded> {
      const stored = await countStored(api);
      const used = measureCpu(culprit);
      const url = `${culprit.url}/api/${account.projectId}/envelope/`;
      const load = await runLoad({
        corpus,
        url,
        key: account.key,
        encoding,
        connections,
        ...(rate !== undefined && { rate }),
      });
      await waitUntilStored(api, stored + events);
      const cpu = used();
      progress(`${load.sent} sent, ${cpuOf(cpu).toFixed(1)} s of processor time`);
      return { load, cpu };
    },
  };
}

async function makeRule(api: HttpClient, body: object): Promise<void> {
  const { status, text } = await api.post(`/api/0/organizations/${organization}/alert-rules/`, JSON.stringify(body));
  if (status !== 201) throw new Error(`a rule was answered ${status}: ${text.slice(0, 500)}`);
}

interface Probe {
  readonly title: string;
  /** When the first and the last of its events were sent. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** New issues at a steady rate, each with a few events. */
function startProbes(culprit: Culprit, { projectId, key }: Account): { stop(): Promise<readonly Probe[]> } {
  const client = createHttpClient(culprit.url, { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key}` });
  const sent: Probe[] = [];
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Letters alone: messages that differ in numbers only are one issue.
      const letters = randomUUID()
        .replaceAll(/[^0-9a-f]/g, '')
        .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
      const name = `Probe${letters}`;
      const firstAtMs = now();
      let lastAtMs = firstAtMs;
      for (let index = 0; index < eventsOfProbe; index += 1) {
        lastAtMs = now();
        const { status } = await client.post(`/api/${projectId}/envelope/`, envelopeOf(name));
        if (status !== 200) throw new Error(`a probe was answered ${status}`);
      }
      sent.push({ title: `${name}: ${name}`, firstAtMs, lastAtMs });
      await delay(Math.max(0, probeEveryMs - (now() - firstAtMs)));
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      client.close();
      return sent;
    },
  };
}

function envelopeOf(name: string): string {
  const eventId = randomUUID().replaceAll('-', '');
  const event = {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    fingerprint: [name],
    tags: { [probeTag]: 'yes' },
    exception: { values: [{ type: name, value: name }] },
  };
  return `{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}

/** When each rule fired for each probe, by name of the rule and title; those that never do are left out. */
async function firingsOf(api: HttpClient, sent: readonly Probe[]): Promise<ReadonlyMap<string, number>> {
  const wanted = sent.length * Object.keys(probeRules).length;
  const names = new Set<string>(Object.values(probeRules));
  const giveUpAt = now() + waitMs;
  for (;;) {
    const fired = new Map<string, number>();
    let path: string | undefined = `/api/0/organizations/${organization}/alert-firings/?limit=100`;
    let last: string | undefined;
    while (path) {
      const page: { id: string; ruleName: string; at: string; issue: { title: string } | null }[] = await getJson(
        api,
        path,
      );
      for (const { ruleName, at, issue } of page) {
        if (names.has(ruleName) && issue) fired.set(`${ruleName} ${issue.title}`, Date.parse(at));
      }
      last = page.at(-1)?.id;
      path =
        page.length === 100 && last
          ? `/api/0/organizations/${organization}/alert-firings/?limit=100&cursor=0:${last}:0`
          : undefined;
    }
    const found = sent.flatMap(({ title }) =>
      Object.values(probeRules).filter((name) => fired.has(`${name} ${title}`)),
    );
    if (found.length >= wanted || now() > giveUpAt) return fired;
    await delay(2_000);
  }
}
