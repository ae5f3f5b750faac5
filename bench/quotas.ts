/**
 * `quotas`: what receiving pays for quotas. The same errors are sent to one key in turns, with quotas of the organisation,
 * the project and the key, per minute and per month, and without any; and counting alone is timed.
 */
import { join } from 'node:path';
import { itemType } from '@culprit/envelope';
import { quotaPeriods, quotaScopes } from '../server/src/base/quotas.ts';
import type { KeyQuota } from '../server/src/ingest/index.ts';
import { openQuotas } from '../server/src/ingest/quotas/index.ts';
import { testKey } from '../server/src/ingest/test-server.ts';
import { runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { createApi, initCulprit, organization, startCulprit } from './culprit.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { waitUntilStored } from './intake.ts';
import { createReport, finding, type Report } from './report.ts';
import { measureCpu, measureOthers, waitForCalm } from './usage.ts';

export interface QuotaBenchOptions {
  readonly events: number;
  readonly rounds: number;
  readonly connections: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

/** Longer than a key's settings are remembered. */
const settledMs = 6_000;
const plenty = 1e12;
const timedEnvelopes = 300_000;

const combined = quotaScopes.flatMap((scope) => quotaPeriods.map((period) => ({ scope, period })));

export async function runQuotas({ events, rounds, connections, dir, progress }: QuotaBenchOptions): Promise<Report> {
  const place = makeTempDir(dir);
  const corpus = join(place, 'corpus');
  const dataDir = join(place, 'data');
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir);
  const api = createApi(culprit, account);
  const url = `${culprit.url}/api/0/organizations/${organization}/quotas/`;
  const call = async (method: string, at: string, body?: object): Promise<string> => {
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + at, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${answer.status} for ${method} of a quota: ${await answer.text()}`);
    return answer.text();
  };
  const setQuotas = async (isOn: boolean): Promise<void> => {
    const { quotas } = JSON.parse(await call('GET', '')) as { quotas: { id: string }[] };
    for (const { id } of quotas) await call('DELETE', `${id}/`);
    for (const { scope, period } of isOn ? combined : []) {
      const { project, key } = account;
      const whose = { organization: {}, project: { project }, key: { project, key } }[scope];
      await call('POST', '', { ...whose, category: 'error', period, amount: plenty });
    }
    await new Promise((resolve) => setTimeout(resolve, settledMs));
  };

  let stored = 0;
  const others = measureOthers();
  const turn = async (isOn: boolean, seed: number): Promise<{ perSecond: number; mainUs: number }> => {
    await setQuotas(isOn);
    writeCorpusFile(corpus, createCorpus({ seed, count: events, encoding: 'identity', nowMs: Date.now() }));
    await waitForCalm();
    const cpu = measureCpu(culprit);
    const target = { ...targetOf(culprit, account, kinds.errors), corpus, encoding: 'identity', connections } as const;
    const load = await runLoad(target);
    const accepted = load.statuses['200'] ?? 0;
    const mainUs = ((cpu().serverThreads.get('main') ?? 0) * 1e6) / accepted;
    if (accepted !== events) throw new Error(`${events - accepted} of ${events} requests were refused`);
    stored += accepted;
    await waitUntilStored(api, stored);
    return { perSecond: accepted / ((load.finishedAtMs - load.startedAtMs) / 1000), mainUs };
  };
  await turn(false, 1);
  const off: Awaited<ReturnType<typeof turn>>[] = [];
  const on: typeof off = [];
  for (let round = 0; round < rounds; round++) {
    // Whichever is first in one round is second in the next.
    for (const isOn of round % 2 === 0 ? [false, true] : [true, false]) {
      const found = await turn(isOn, 2 + round * 2 + Number(isOn));
      (isOn ? on : off).push(found);
      progress(`${isOn ? 'with' : 'without'} quotas: ${Math.round(found.perSecond)} requests/s`);
    }
  }
  const busy = others();
  api.close();
  await culprit.stop();
  removeTempDir(place);

  return createReport(
    'quotas',
    { events, rounds, connections },
    [
      finding(
        'accepted without quotas',
        'requests/s',
        off.map(({ perSecond }) => perSecond),
      ),
      finding(
        `accepted with ${combined.length} quotas`,
        'requests/s',
        on.map(({ perSecond }) => perSecond),
      ),
      finding(
        'thread for requests, without quotas',
        'µs a request',
        off.map(({ mainUs }) => mainUs),
      ),
      finding(
        `thread for requests, with ${combined.length} quotas`,
        'µs a request',
        on.map(({ mainUs }) => mainUs),
      ),
      finding('counting alone, without quotas', 'µs a request', await countingUs([])),
      finding(
        `counting alone, with ${combined.length} quotas`,
        'µs a request',
        await countingUs(combined.map((one) => ({ ...one, category: 'error', amount: plenty, isHard: true }))),
      ),
      finding('cores busy with something else', '', busy),
    ],
    ['Both turns of a round send the same number of errors to the same key.'],
  );
}

/** What intake does with an envelope of one event because of quotas. */
async function countingUs(quotas: readonly KeyQuota[]): Promise<number[]> {
  const logger = { debug: () => undefined };
  await using counted = openQuotas(async (uses) => uses.map(({ added }) => added), logger);
  const key = testKey({ quotas });
  const type = itemType('event');
  const items = [{ type, header: { type: type.name }, quantity: 1, bytes: 1_000, end: 1_000 }];
  return Array.from({ length: 5 }, () => {
    const began = performance.now();
    for (let index = 0; index < timedEnvelopes; index++) {
      const nowMs = Date.now();
      counted.take(items, key, nowMs);
      counted.usedUp(key, nowMs);
    }
    return ((performance.now() - began) * 1_000) / timedEnvelopes;
  });
}
