/** `alerts`: how long after an event was received a rule has fired, and what evaluating many rules costs beside the pipeline. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
import { distribution, spread } from './statistics.ts';
import { type CpuUse, measureCpu, readMemory } from './usage.ts';

export interface AlertsOptions {
  readonly rules: number;
  /** Events a second. */
  readonly rate: number;
  /** With rules, and without: in stretches that take turns. */
  readonly seconds: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const connections = 16;
const encoding = 'identity';
const warmUpEvents = 1000;
const probeEveryMs = 500;
/** About so long is each stretch with rules, and each without. */
const stretchSeconds = 10;
/** After the switch: what waited is looked at. And so long again nothing is sent, for what evaluation costs then. */
const settleMs = 5_000;
/** After a stretch: what fires late, and merges of what came. */
const restMs = 10_000;
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
  const pairs = Math.max(2, Math.round(seconds / stretchSeconds));
  const events = Math.round((rate * seconds) / pairs);
  progress('making the corpus');
  const corpus = (name: string, seed: number, count: number): string => {
    const file = join(dir, `corpus-${name}`);
    writeCorpusFile(file, createCorpus({ seed, count, encoding, nowMs: Date.now() }));
    return file;
  };
  const warmUp = corpus('warm-up', 999_983, warmUpEvents);
  const dataDir = join(dir, 'data');
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir, inspected);
  const api = createApi(culprit, account);
  const turn = createTurn(culprit, account, api, options);
  await turn.load(warmUp, warmUpEvents);
  progress(`making ${rules} rules`);
  for (const body of ruleMix(rules)) await makeRule(api, body);
  const evaluation = createSwitch(dataDir);
  progress(`sending ${rate} events a second, to and fro without rules and with them`);
  // What the first ones cost is the start of the program.
  await turn.load(corpus('first', 1, events), events, rate);
  const stretches: Stretch[] = [];
  for (const [index, on] of turnsOf(pairs).entries()) {
    const file = corpus(`${index}`, index + 10, events);
    evaluation.turn(on);
    await delay(settleMs);
    const measured = measureCpu(culprit);
    await delay(settleMs);
    const rest = measured();
    const [asked, startedAtMs] = [await selectsOf(culprit), now()];
    // New issues are sent in both turns, so that what they cost the pipeline is not taken for evaluation.
    const probing = startProbes(culprit, account);
    const loaded = await turn.load(file, events, rate);
    const probes = await probing.stop();
    const [selects, tookSeconds] = [(await selectsOf(culprit)) - asked, (now() - startedAtMs) / 1000];
    stretches.push({ on, ...loaded, probes, rest, selects, tookSeconds });
    await delay(restMs);
  }
  progress('waiting for what fires late');
  evaluation.turn(true);
  const watched = stretches.filter(({ on }) => on);
  const sent = watched.flatMap(({ probes }) => probes);
  const fired = await firingsOf(api, sent);
  const memory = readMemory(culprit);
  progress(`which statements it asks, for another ${askedSeconds} s`);
  const last = corpus('asked', 2, rate * askedSeconds);
  const inspector = await openInspector(dataDir);
  const statements = await inspector.statements(async () => {
    const probing = startProbes(culprit, account);
    await turn.load(last, rate * askedSeconds, rate);
    await probing.stop();
  });
  inspector.close();
  // Outcomes are asked for by this bench.
  const costs = (await costsOf(culprit, statements)).filter(({ words }) => !words.startsWith('outcomes'));
  api.close();
  evaluation.close();
  await culprit.stop();
  removeTempDir(dir);

  const unwatched = stretches.filter(({ on }) => !on);
  const more = (of: (one: Stretch) => number): number[] =>
    watched.map((one, index) => of(one) - of(unwatched[index] ?? one));
  // A stretch lasts longer where the machine is busy, and evaluation goes by time: both are taken for a second.
  const pipeline = rate * spread(unwatched.map((one) => perEvent(one, cpuOf))).median;
  // What else the machine does falls on differences of stretches; statements that are asked again know less of it.
  const statementSeconds = sum(costs.map(({ count, us }) => count * us)) / 1e6 / askedSeconds;
  const share = (of: (cpu: CpuUse) => number): number[] =>
    watched.map((one, index) => {
      const alone = perEvent(unwatched[index] ?? one, of);
      return (100 * (of(one.cpu) - alone * eventsOf(one))) / one.tookSeconds / pipeline;
    });
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
    finding(
      'processor time per event without rules',
      'ms',
      unwatched.map((one) => perEvent(one, cpuOf) * 1000),
    ),
    finding(
      'processor time per event with them',
      'ms',
      watched.map((one) => perEvent(one, cpuOf) * 1000),
    ),
    finding('share of evaluation in that of the pipeline', '%', share(cpuOf), budgets.alertShare),
    finding(
      '… of the server',
      '%',
      share(({ serverSeconds }) => serverSeconds),
    ),
    finding(
      '… of the engine',
      '%',
      share(({ engineSeconds }) => engineSeconds),
    ),
    finding('… of the engine without its merges', '%', share(queriesOf)),
    finding('its statements, asked again, in that of the pipeline', '%', (100 * statementSeconds) / pipeline),
    finding(
      'processor time of evaluation, nothing sent',
      'ms/s',
      more(({ rest }) => (cpuOf(rest) * 1e6) / settleMs),
    ),
    finding(
      'statements it asks of the engine',
      '1/s',
      more(({ selects, tookSeconds }) => selects / tookSeconds),
    ),
    finding(
      'acknowledged p95 without rules',
      'ms',
      unwatched.map(({ load }) => load.ack.p95),
    ),
    finding(
      'acknowledged p95 with them',
      'ms',
      watched.map(({ load }) => load.ack.p95),
    ),
    finding('memory (private dirty) afterwards', 'MB', memory.dirtyMb, budgets.loadedMb),
  );
  return createReport('alerts', { rules, rate, seconds }, findings, [
    `Each stretch of ${events} events without rules has one with them beside it, on the same store: ${(pipeline * 1000).toFixed(0)} ms/s without them.`,
    `${sent.length} issues were made for the measurement, one each ${probeEveryMs} ms; of ten rules four count events or users in 1 to 1,440 minutes, three wait for something that happens, three are about metrics.`,
    `Statements of the main thread in ${askedSeconds} s of load, and processor time of the engine for one, asked again: ${costs
      .slice(0, shownStatements)
      .map(({ words, count, us }) => `${count} × ${(us / 1000).toFixed(1)} ms ${words}`)
      .join('; ')}. In sum ${(statementSeconds * 1000).toFixed(1)} ms/s.`,
  ]);
}

/** Without rules and with them, then the other way round: what grows with the store falls on both alike. */
const turnsOf = (pairs: number): boolean[] =>
  Array.from({ length: pairs }, (_, index) => [index % 2 === 1, index % 2 === 0]).flat();

interface Stretch extends Loaded {
  readonly on: boolean;
  readonly probes: readonly Probe[];
  /** Before it, while nothing was sent for as long as it takes to settle. */
  readonly rest: CpuUse;
  /** By the engine's own account. */
  readonly selects: number;
  readonly tookSeconds: number;
}

async function selectsOf(culprit: Culprit): Promise<number> {
  const [row] = await culprit.engine<{ value: number }>("SELECT value FROM system.events WHERE event = 'SelectQuery'");
  return row?.value ?? 0;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Turns all rules on and off where they are stored, so that none of them is new afterwards, nor due because it was off. */
function createSwitch(dataDir: string): { turn(on: boolean): void; close(): void } {
  const state = new DatabaseSync(join(dataDir, 'state.db'), { timeout: 30_000 });
  let offAtMs: number | undefined;
  return {
    turn(on) {
      state.exec(`UPDATE alert_rule SET enabled = ${Number(on)}`);
      if (on && offAtMs !== undefined)
        state.exec(`UPDATE alert_rule_state SET evaluated_at = evaluated_at + ${Math.round(Date.now() - offAtMs)}`);
      offAtMs = on ? undefined : (offAtMs ?? Date.now());
    },
    close: () => state.close(),
  };
}

const cpuOf = ({ serverSeconds, engineSeconds }: CpuUse): number => serverSeconds + engineSeconds;
const eventsOf = ({ load, probes }: Stretch): number => load.sent + probes.length * eventsOfProbe;
/** Seconds. */
const perEvent = (stretch: Stretch, of: (cpu: CpuUse) => number): number => of(stretch.cpu) / eventsOf(stretch);
/** Merges of one stretch may fall into the next one. */
const queriesOf = ({ engineSeconds, engineThreads }: CpuUse): number =>
  engineSeconds - (engineThreads.get('MergeMutate') ?? 0) - (engineThreads.get('BgSchPool') ?? 0);

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
export function startProbes(culprit: Culprit, { projectId, key }: Account): { stop(): Promise<readonly Probe[]> } {
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
