/**
 * What limits of issues cost, or save: the same errors as fast as they go, without limits, with limits on the most frequent
 * issues that are out of reach, and with some that keep nearly all of them out.
 */
import type { EventLimit } from '../server/src/base/event-limit.ts';
import { runLoad } from './child.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Account, createApi, type Culprit, getJson, organization } from './culprit.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { waitUntilStored } from './intake.ts';
import { type Finding, finding } from './report.ts';
import { measureCpu, waitForCalm } from './usage.ts';

interface LimitsOptions {
  readonly account: Account;
  /** It has had events already, is warm, and samples none. */
  readonly culprit: Culprit;
  /** Of each turn. */
  readonly events: number;
  readonly connections: number;
  /** File to write events to. */
  readonly corpus: string;
  readonly progress: (line: string) => void;
}

interface Turn {
  readonly acceptedPerSecond: number;
  /** Stored or counted. */
  readonly storedPerSecond: number;
  /** Of all processes, ms an event. */
  readonly cpuMs: number;
}

/** Of the 60 of the corpus: two thirds of its events. */
const limitedIssues = 10;
const outOfReach: EventLimit = { events: 100_000, per: 'hour' };
const reached: EventLimit = { events: 10, per: 'minute' };

export async function limitedFindings(options: LimitsOptions): Promise<Finding[]> {
  // In this order: what batches decided is remembered, and looked for, for hours after a limit is gone.
  const without = await turn(options, 11);
  await setLimit(options, outOfReach);
  const idle = await turn(options, 12);
  await setLimit(options, reached);
  const limited = await turn(options, 13);
  const against = (name: string, { acceptedPerSecond, storedPerSecond, cpuMs }: Turn): Finding[] => [
    finding(`${name}: accepted`, '× without', acceptedPerSecond / without.acceptedPerSecond),
    finding(`${name}: stored or counted`, '× without', storedPerSecond / without.storedPerSecond),
    finding(`${name}: processor time of an event`, '× without', cpuMs / without.cpuMs),
  ];
  return [
    finding('without limits: accepted', 'events/s', without.acceptedPerSecond),
    finding('without limits: stored', 'events/s', without.storedPerSecond),
    finding('without limits: processor time of an event', 'ms', without.cpuMs),
    ...against('with limits out of reach', idle),
    ...against('with limits', limited),
  ];
}

async function turn({ account, culprit, events, connections, corpus, progress }: LimitsOptions, seed: number) {
  const api = createApi(culprit, account);
  writeCorpusFile(corpus, createCorpus({ seed, count: events, encoding: 'identity', nowMs: Date.now() }));
  await waitForCalm();
  const cpu = measureCpu(culprit);
  const target = { ...targetOf(culprit, account, kinds.errors), corpus, encoding: 'identity', connections };
  const load = await runLoad(target);
  const { atMs } = await waitUntilStored(api, 0);
  const { serverSeconds, engineSeconds } = cpu();
  api.close();
  const accepted = load.statuses['200'] ?? 0;
  const found: Turn = {
    acceptedPerSecond: accepted / ((load.finishedAtMs - load.startedAtMs) / 1000),
    storedPerSecond: accepted / ((atMs - load.startedAtMs) / 1000),
    cpuMs: ((serverSeconds + engineSeconds) * 1000) / accepted,
  };
  progress(`${Math.round(found.storedPerSecond)} events a second, ${found.cpuMs.toFixed(2)} ms of processor each`);
  return found;
}

async function setLimit({ account, culprit }: LimitsOptions, eventLimit: EventLimit): Promise<void> {
  const api = createApi(culprit, account);
  const path = `/api/0/organizations/${organization}/issues/`;
  const issues = await getJson<{ id: string }[]>(api, `${path}?query=&sort=freq&limit=${limitedIssues}`);
  api.close();
  if (issues.length < limitedIssues) throw new Error(`only ${issues.length} issues to limit`);
  for (const { id } of issues) {
    const answer = await fetch(`${culprit.url}${path}${id}/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ eventLimit }),
    });
    if (!answer.ok) throw new Error(`${answer.status} for the limit of an issue: ${await answer.text()}`);
  }
}
