/**
 * `mixed`: what the first pages ask while events are stored to the issues that they show. 100 issues, the k-th about 1/k
 * as frequent as the first; the first call to each of them, then 200 by the same law, then the same from eight clients.
 */
import { join } from 'node:path';
import { budgetAt } from './budgets.ts';
import { runLoad } from './child.ts';
import { makeRoot, removeTempDir } from './cleanup.ts';
import { createRandom, type Random } from './corpus/random.ts';
import type { CorpusEnvelope } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { createApi, type Culprit, organization } from './culprit.ts';
import type { HttpClient } from './http-client.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { type FilledWithEvents, openWithEvents } from './query.ts';
import { atMost, below, createReport, finding, type Finding, type Report } from './report.ts';
import { distribution } from './statistics.ts';
import { measureOthers } from './usage.ts';

export interface MixedOptions {
  /** Events in the store. */
  readonly events: number;
  /** Events a second that come meanwhile. */
  readonly rate: number;
  readonly calls: number;
  readonly keep?: string | undefined;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const issueCount = 100;
const warmUps = 5;
const clients = 8;
/** A person clicks, reads, and clicks again. */
const pauseMs = 20;
const loadSeconds = 5;
/** Of the budget: for the first call to an issue, and for each of eight clients. */
const leniency = 3;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const api = `/api/0/organizations/${organization}`;

interface LiveIssue {
  readonly id: string;
  readonly eventId: string;
}

interface Call {
  readonly name: string;
  /** Lists are of no issue. */
  readonly ofIssue: boolean;
  path(issue: LiveIssue): string;
}

const listOf = (period: string): string =>
  `${api}/issues/?${new URLSearchParams({ query: 'is:unresolved', sort: 'date', limit: '50', shortIdLookup: '1', statsPeriod: period })}`;

const calls: readonly Call[] = [
  // What any call waits for the processor, whatever it asks for.
  {
    name: 'projects (state store alone)',
    ofIssue: false,
    path: () => `/api/0/organizations/${organization}/projects/`,
  },
  { name: 'issue list', ofIssue: false, path: () => listOf('14d') },
  { name: 'issue list, 24 h', ofIssue: false, path: () => listOf('24h') },
  { name: 'issue', ofIssue: true, path: ({ id }) => `${api}/issues/${id}/?collapse=tags` },
  { name: 'newest event', ofIssue: true, path: ({ id }) => `${api}/issues/${id}/events/latest/` },
  { name: 'tags', ofIssue: true, path: ({ id }) => `${api}/issues/${id}/tags/?limit=5` },
  {
    name: 'event by id',
    ofIssue: true,
    path: ({ eventId }) => `/api/0/projects/${organization}/shop/events/${eventId}/`,
  },
];

export async function runMixed(options: MixedOptions): Promise<Report> {
  const { events, rate, progress } = options;
  const root = makeRoot(options.keep, options.dir);
  const dataDir = join(root, String(events));
  const { culprit, filled } = await openWithEvents(dataDir, events, progress);
  const client = createApi(culprit, filled.account);
  const others = measureOthers();
  const stop = new AbortController();
  const storing = storeOn(culprit, filled, { root, rate, signal: stop.signal });
  const random = createRandom(Date.now() % 1_000_000);
  const findings: Finding[] = [];
  try {
    const issues = await liveIssues(culprit, client, progress);
    for (const call of calls) {
      findings.push(...(await measureCall(client, call, { issues, random, ...options })));
    }
  } finally {
    stop.abort();
    await storing;
  }
  findings.push(
    finding('issues whose counts are not the events store’s', '', await wrongCounts(culprit, client), atMost(0)),
    finding('cores busy with something else', '', others()),
  );
  client.close();
  await culprit.stop();
  if (!options.keep) removeTempDir(root);
  return createReport('mixed', { events, rate, calls: options.calls }, findings, []);
}

/** Until it is told to stop. */
async function storeOn(
  culprit: Culprit,
  { account }: FilledWithEvents,
  { root, rate, signal }: { root: string; rate: number; signal: AbortSignal },
): Promise<void> {
  const corpus = join(root, 'mixed');
  for (let seed = 1; !signal.aborted; seed++) {
    writeCorpusFile(corpus, smallErrors(createRandom(seed * 7919 + Date.now()), rate * loadSeconds));
    const target = { ...targetOf(culprit, account, kinds.errors), corpus, encoding: 'identity', connections: 4, rate };
    await runLoad(target);
  }
}

function* smallErrors(random: Random, count: number): Generator<CorpusEnvelope> {
  for (let index = 0; index < count; index++) {
    const kind = random.zipf(issueCount);
    const eventId = random.hex(32);
    const frames = Array.from({ length: 12 }, (_, at) => ({
      function: `step${kind}_${at}`,
      filename: `src/part${kind}/file${at}.ts`,
      lineno: at + 1,
      in_app: true,
    }));
    const event = {
      event_id: eventId,
      timestamp: Date.now() / 1000,
      platform: 'javascript',
      environment: kind % 3 ? 'production' : 'staging',
      release: 'shop@9.0.0',
      user: { id: `u-${random.integer(0, 999)}` },
      tags: { tenant: `tenant-${kind % 7}`, plan: 'pro', live: 'yes' },
      exception: { values: [{ type: `Live${kind}Error`, value: 'The order is gone', stacktrace: { frames } }] },
    };
    const body = Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`);
    yield { eventId, body, sizeBytes: body.length };
  }
}

const groupsSql = `SELECT group_hash AS hash, count() AS n, uniqExact(user) AS users, any(event_id) AS event
  FROM errors WHERE tags['live'] = 'yes' GROUP BY hash ORDER BY n DESC`;

interface Group {
  readonly hash: string;
  readonly n: number;
  readonly users: number;
  readonly event: string;
}

async function liveIssues(
  culprit: Culprit,
  client: HttpClient,
  progress: MixedOptions['progress'],
): Promise<readonly LiveIssue[]> {
  let groups: readonly Group[] = [];
  for (let tries = 0; groups.length < issueCount && tries < 60; tries++) {
    await delay(1000);
    groups = await culprit.engine<Group>(groupsSql);
  }
  progress(`${groups.length} issues get events`);
  const issues: LiveIssue[] = [];
  for (const { event } of groups) {
    const found = JSON.parse((await client.get(`${api}/eventids/${event}/`)).text) as { groupId: string };
    issues.push({ id: found.groupId, eventId: event });
  }
  return issues;
}

interface Measuring extends Pick<MixedOptions, 'events' | 'calls' | 'progress'> {
  readonly issues: readonly LiveIssue[];
  readonly random: Random;
}

async function measureCall(
  client: HttpClient,
  call: Call,
  { issues, random, events, calls: count, progress }: Measuring,
): Promise<Finding[]> {
  const chosen = (): LiveIssue => issues[random.zipf(issues.length)] as LiveIssue;
  const ask = async (issue: LiveIssue): Promise<number> => {
    const { status, text, durationMs } = await client.get(call.path(issue));
    if (status !== 200) throw new Error(`${call.name} answered ${status}: ${text.slice(0, 200)}`);
    return durationMs;
  };
  const askInTurn = async (some: readonly LiveIssue[]): Promise<number[]> => {
    const durationsMs: number[] = [];
    for (const issue of some) {
      durationsMs.push(await ask(issue));
      await delay(pauseMs);
    }
    return durationsMs;
  };
  const draw = (number: number): LiveIssue[] => Array.from({ length: number }, chosen);
  const first = distribution(call.ofIssue ? await askInTurn(issues) : [await ask(chosen())]);
  await askInTurn(draw(warmUps));
  const alone = distribution(await askInTurn(draw(count)));
  const shares = Array.from({ length: clients }, () => askInTurn(draw(Math.ceil(count / clients))));
  const together = distribution((await Promise.all(shares)).flat());
  const budget = budgetAt('page', events);
  const lenient = below(leniency * budget.value);
  progress(
    `${call.name}: p50 ${alone.p50.toFixed(1)} ms, p95 ${alone.p95.toFixed(1)} ms; first ${first.p95.toFixed(1)} ms, ${clients} clients ${together.p95.toFixed(1)} ms`,
  );
  return [
    finding(`${call.name} p50`, 'ms', alone.p50),
    finding(`${call.name} p95`, 'ms', alone.p95, budget),
    finding(`${call.name}, first of each issue, p95`, 'ms', first.p95, lenient),
    finding(`${call.name}, ${clients} clients, p95`, 'ms', together.p95, lenient),
  ];
}

/** Issues that the list gives other counts of than the events store, once nothing comes any more. */
async function wrongCounts(culprit: Culprit, client: HttpClient): Promise<number> {
  await delay(2000);
  const truth = await culprit.engine<Group>(groupsSql);
  let wrong = 0;
  for (const { event, n, users } of truth) {
    const { groupId } = JSON.parse((await client.get(`${api}/eventids/${event}/`)).text) as { groupId: string };
    const issue = JSON.parse((await client.get(`${api}/issues/${groupId}/`)).text) as {
      count: string;
      userCount: number;
    };
    if (Number(issue.count) !== Number(n) || issue.userCount !== Number(users)) wrong++;
  }
  return wrong;
}
