/**
 * `readers`: a member asks Explore 24 expensive questions at a time without end, while events come and the owner opens the
 * list of issues. How long the owner and those who send events wait, beside the same without the member.
 */
import { join } from 'node:path';
import { runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { createApi, type Culprit, organization } from './culprit.ts';
import { eventQuestions } from './explore-calls.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import type { LoadResult } from './load.ts';
import { openWithEvents } from './query.ts';
import { atMost, createReport, finding, type Finding, type Report } from './report.ts';
import { distribution } from './statistics.ts';
import { measureCpu, measureOthers } from './usage.ts';

export interface ReadersOptions {
  /** Events in the store. */
  readonly events: number;
  readonly seconds: number;
  /** Events a second that come meanwhile. */
  readonly rate: number;
  /** Questions that the member has under way. */
  readonly questions: number;
  readonly keep?: string | undefined;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const listEveryMs = 250;
/** The member's questions wait for each other. */
const patientMs = 300_000;
const list = `/api/0/organizations/${organization}/issues/?query=is:unresolved&limit=50`;
const member = { name: 'member', email: 'member@example.com', password: 'correct horse battery staple' };

export async function runReaders(options: ReadersOptions): Promise<Report> {
  const { events, seconds, rate, questions, progress } = options;
  const root = options.keep ?? makeTempDir(options.dir);
  const dataDir = join(root, String(events));
  const { culprit, filled } = await openWithEvents(dataDir, events, progress);
  const owner = createApi(culprit, filled.account);
  const reader = await inviteMember(culprit, owner);
  const others = measureOthers();
  const findings: Finding[] = [];
  const notes: string[] = [];
  for (const asked of [0, questions]) {
    progress(asked === 0 ? 'without the member' : `with ${asked} questions of the member`);
    const corpus = join(root, `readers-${asked}`);
    writeCorpusFile(
      corpus,
      createCorpus({ seed: asked + 1, count: rate * seconds, encoding: 'identity', nowMs: Date.now() }),
    );
    const used = measureCpu(culprit);
    const stop = new AbortController();
    const asking = Promise.all(Array.from({ length: asked }, (_, index) => askOn(reader, index, stop.signal)));
    const opening = openList(owner, stop.signal);
    const target = {
      ...targetOf(culprit, filled.account, kinds.errors),
      corpus,
      encoding: 'identity',
      connections: 16,
      rate,
    } as const;
    const load: LoadResult = await runLoad(target);
    stop.abort();
    const [answered, durationsMs] = [(await asking).flat(), await opening];
    const { engineSeconds, serverSeconds } = used();
    const label = asked === 0 ? 'nobody else reads' : `${asked} questions of a member`;
    const lists = distribution(durationsMs);
    findings.push(
      finding(`ack p99, ${label}`, 'ms', load.ack.p99, asked === 0 ? undefined : atMost(50)),
      finding(`owner's issue list p50, ${label}`, 'ms', lists.p50),
      finding(`owner's issue list p95, ${label}`, 'ms', lists.p95, asked === 0 ? undefined : atMost(100)),
      finding(`processor time, ${label}`, 'cores', (engineSeconds + serverSeconds) / seconds),
    );
    if (asked === 0) continue;
    findings.push(
      finding(
        `the member's answers a second, ${label}`,
        '',
        answered.filter((status) => status === 200).length / seconds,
      ),
    );
    const counts = Object.entries(Object.groupBy(answered, String)).map(
      ([status, each]) => `${each?.length ?? 0} × ${status}`,
    );
    notes.push(`The member was answered ${counts.join(', ')}.`);
  }
  findings.push(finding('cores busy with something else', '', others()));
  for (const client of [owner, reader]) client.close();
  await culprit.stop();
  if (!options.keep) removeTempDir(root);
  return createReport('readers', { events, rate, seconds, questions }, findings, notes);
}

/** A person of their own, signed in. */
async function inviteMember(culprit: Culprit, owner: HttpClient): Promise<HttpClient> {
  const body = { email: member.email, role: 'member' };
  const invited = await owner.post(`/api/0/organizations/${organization}/members/`, JSON.stringify(body));
  const { inviteLink } = JSON.parse(invited.text) as { inviteLink?: string };
  const anybody = createHttpClient(culprit.url, { 'content-type': 'application/json' });
  // Of a store that was kept they are there already.
  const token = inviteLink?.split('/').at(-1);
  if (token) await anybody.post(`/api/0/invitations/${token}/`, JSON.stringify(member));
  anybody.close();
  const signedIn = await fetch(`${culprit.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: culprit.url },
    body: JSON.stringify(member),
  });
  if (!signedIn.ok) throw new Error(`the member cannot sign in: ${signedIn.status} ${await signedIn.text()}`);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  return createHttpClient(culprit.url, { cookie, origin: culprit.url, 'content-type': 'application/json' }, patientMs);
}

/** One question after the other; the status of each answer. */
async function askOn(reader: HttpClient, from: number, signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = from; !signal.aborted; index++) {
    const { path, body } = eventQuestions[index % eventQuestions.length] ?? {};
    if (!path) break;
    const { status } = body
      ? await reader.post(path(index), JSON.stringify(body(index)))
      : await reader.get(path(index));
    statuses.push(status);
  }
  return statuses;
}

/** ms of each call. */
async function openList(owner: HttpClient, signal: AbortSignal): Promise<number[]> {
  const durationsMs: number[] = [];
  while (!signal.aborted) {
    const started = performance.now();
    const { status, text } = await owner.get(list);
    if (status !== 200) throw new Error(`the list answered ${status}: ${text.slice(0, 200)}`);
    durationsMs.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, listEveryMs - (performance.now() - started))));
  }
  return durationsMs;
}
