/** A project sends far more than usual: new bugs are stored, repeated ones are sampled, and every number stays right. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endurance, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { memoryOf } from './load.ts';

/** Ten minutes for endurance; CULPRIT_TEST_STORM_SECONDS makes it shorter. */
const seconds = endurance ? Number(process.env['CULPRIT_TEST_STORM_SECONDS'] ?? 600) : 5;
/** With what comes before and after it. */
const longestMs = seconds * 1_000 + 300_000;
const connections = 64;
const hidden = 50;
const sightings = 20;

interface Frame {
  readonly function: string;
  readonly filename: string;
  readonly lineno: number;
  readonly in_app: boolean;
}

const frame = (name: string): Frame => ({ function: name, filename: `/app/src/${name}.js`, lineno: 7, in_app: true });
const top = ['handle', 'price', 'fetchPrice'].map(frame);

const event = (type: string, frames: readonly Frame[], user: number): Record<string, unknown> => ({
  exception: { values: [{ type, value: `request ${user} failed`, stacktrace: { frames } }] },
  user: { id: String(user) },
});

/** Sends until `end`, as many at once as there are connections; counts what was acknowledged. */
function flood(url: string, end: AbortSignal, users: number) {
  const sent = { acknowledged: 0, refused: 0, asked: 0 };
  const met = new Set<number>();
  const send = async (): Promise<void> => {
    while (!end.aborted) {
      const user = sent.asked++ % users;
      const response = await fetch(url, {
        method: 'POST',
        body: errorEnvelope(newEventId(), event('Flood', [frame('main'), ...top], user)),
      }).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      if (response?.status === 200) {
        sent.acknowledged++;
        met.add(user);
      } else sent.refused++;
    }
  };
  const all = Array.from({ length: connections }, send);
  return { sent, met, done: Promise.all(all) };
}

async function post(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body });
  await response.arrayBuffer();
  expect(response.status).toBe(200);
}

const isInStorm = async (server: Server): Promise<boolean> =>
  /^culprit_storm_projects 1$/m.test(await server.metrics());

interface Issue {
  readonly count: string;
  readonly userCount: number;
  readonly title: string;
  readonly id: string;
}

test(
  'new bugs are stored, repeated ones counted, and another project does not notice',
  async () => {
    await using server = await Server.create({ CULPRIT_STORM_GUARD: 'on' });
    const other = await server.api<{ id: string; slug: string }>('/organizations/acme/projects/', {
      method: 'POST',
      body: JSON.stringify({ name: 'Quiet', platform: 'node' }),
    });
    const [key] = await server.api<{ dsn: { public: string } }[]>(`/projects/acme/${other.slug}/keys/`);
    const [url, quiet] = [envelopeUrl(server.installed.dsn), envelopeUrl(key?.dsn.public ?? '')];
    const end = new AbortController();
    const before = await bytesIn(server.dataDir);
    const users = 300;
    const { sent, met, done } = flood(url, end.signal, users);
    await server.until('the guard has noticed', () => isInStorm(server));

    let fresh = 0;
    const answers: number[] = [];
    const began = Date.now();
    const until = began + seconds * 1_000;
    /** Largest in each half of the time, bytes. */
    const memory = [0, 0];
    let memoryDue = 0;
    // Bugs that nobody has seen, each once; bugs behind the known key, within a minute each; and a project of its own pace.
    for (let round = 0; round < sightings || Date.now() < until; round++) {
      await post(url, errorEnvelope(newEventId(), event(`Fresh${newLetters()}`, [frame('main'), ...top], 1)));
      fresh++;
      if (round < sightings) {
        const bugs = Array.from({ length: hidden }, (_, bug) => event('Flood', [frame(`entry${bug}`), ...top], 1));
        await Promise.all(bugs.map((bug) => post(url, errorEnvelope(newEventId(), bug))));
      }
      const from = performance.now();
      await post(quiet, errorEnvelope(newEventId(), event('Quiet', [frame('main')], round % 7)));
      answers.push(performance.now() - from);
      if (Date.now() >= memoryDue) {
        memoryDue = Date.now() + 1_000;
        const half = Date.now() - began < seconds * 500 ? 0 : 1;
        memory[half] = Math.max(memory[half] ?? 0, await memoryOf(server.pid));
      }
      // Fewer new keys a minute than a project may have.
      await pause(endurance ? 100 : 10);
    }
    const rounds = fresh;
    end.abort();
    await done;
    const [ended, lasted] = [performance.now(), (Date.now() - began) / 1_000];
    await server.drained();
    const waited = (performance.now() - ended) / 1_000;

    expect(sent.refused).toBe(0);
    const all = sent.acknowledged + fresh + hidden * sightings;
    await using events = await server.events();
    const [counted] = await events.query<Record<'stored' | 'weight' | 'fresh' | 'hidden' | 'quiet', number>>(
      `SELECT countIf(project_id != {other:UInt64}) AS stored, sumIf(1 + stands_for, project_id != {other:UInt64}) AS weight,
       uniqExactIf(error_type, startsWith(error_type, 'Fresh')) AS fresh,
       uniqExactIf(arrayFirst(name -> startsWith(name, 'entry'), stack_functions), has(arrayMap(name -> startsWith(name, 'entry'), stack_functions), 1)) AS hidden,
       countIf(project_id = {other:UInt64} AND stands_for = 0) AS quiet FROM errors`,
      { other: other.id },
    );
    expect(counted).toMatchObject({ weight: all, fresh, quiet: rounds });
    const sorted = answers.toSorted((a, b) => a - b);
    const [slow, slowest] = [sorted[Math.floor(sorted.length * 0.99)] ?? 0, sorted.at(-1) ?? 0];
    console.log(
      `${counted?.stored} stored of ${all} in ${Math.round(lasted)} s, the last of them ${waited.toFixed(1)} s later; all ${fresh} new keys; ` +
        `of ${hidden} bugs behind a known key ${counted?.hidden}, each sent ${sightings} times; answers to the other project ` +
        `${Math.round(slow)} ms (99 %), ${Math.round(slowest)} ms at most; memory ${memory.map((bytes) => Math.round(bytes / 1e6)).join(' and ')} MB ` +
        `at most in the halves`,
    );
    expect(Math.max(...memory)).toBeLessThan(mostMemory);
    // The disk grows by what is stored, not by what is sent.
    const grown = (await bytesIn(server.dataDir)) - before;
    console.log(`${(grown / 1e6).toFixed(1)} MB on disk for ${all} errors: ${Math.round(grown / all)} bytes each`);
    expect(grown).toBeLessThan(fixedBytes + bytesPerStored * (counted?.stored ?? 0));
    expect(counted?.stored).toBeLessThan(all / 2);
    expect(counted?.hidden).toBeGreaterThanOrEqual(hidden / 2);

    const [sums] = await events.query<Record<'accepted' | 'sampled' | 'hours' | 'lives' | 'days' | 'weeks', number>>(
      `SELECT (SELECT sum(quantity) FROM outcomes WHERE outcome = 'accepted' AND category = 'error') AS accepted,
       (SELECT sum(quantity) FROM outcomes WHERE outcome = 'filtered' AND reason = 'storm' AND category = 'error') AS sampled,
       (SELECT sum(events) FROM issue_hours) AS hours, (SELECT sum(events) FROM issue_lives) AS lives,
       (SELECT sum(events) FROM issue_ranks WHERE days = 1) AS days, (SELECT sum(events) FROM issue_ranks WHERE days = 7) AS weeks`,
    );
    const whole = all + rounds;
    expect(sums).toEqual({
      accepted: (counted?.stored ?? 0) + rounds,
      sampled: all - (counted?.stored ?? 0),
      hours: whole,
      lives: whole,
      days: whole,
      weeks: whole,
    });

    // The page of the bug says what came, and whom it met, as if all had been stored.
    const issues = await server.api<Issue[]>('/projects/acme/web/issues/?query=Flood&sort=freq&limit=100');
    const [largest] = issues.toSorted((a, b) => Number(b.count) - Number(a.count));
    const ofFlood = issues.reduce((sum, { count }) => sum + Number(count), 0);
    // What stands for others is of their key: a few of its bugs change places, all of them together do not.
    expect(ofFlood).toBe(sent.acknowledged + hidden * sightings);
    expect(Number(largest?.count)).toBeGreaterThan(sent.acknowledged * 0.9);
    const page = await server.api<Issue & { estimated: { low: number; high: number } | null }>(
      `/issues/${largest?.id}/`,
    );
    const { low, high } = page.estimated ?? { low: Number(page.count) * 0.99, high: Number(page.count) * 1.01 };
    expect(low).toBeLessThanOrEqual(sent.acknowledged);
    expect(high).toBeGreaterThanOrEqual(sent.acknowledged);
    const { accounts } = await server.api<{ accounts: { projectId: string; category: string; sent: number }[] }>(
      '/organizations/acme/accounts/?project=web',
    );
    expect(accounts.find(({ category }) => category === 'error')).toMatchObject({
      sent: all,
      accepted: counted?.stored,
      filtered: all - (counted?.stored ?? 0),
    });
    expect(largest?.userCount).toBeGreaterThanOrEqual(met.size * 0.97);
    expect(largest?.userCount).toBeLessThanOrEqual(met.size * 1.03);
  },
  longestMs,
);

/** What stores take before they have much, and for one of these errors; the log takes back what is done. Bytes. */
const fixedBytes = 256e6;
const bytesPerStored = 4_000;
/** Of server and engine together, bytes: what both may take under load, and as much again. */
const mostMemory = 1.2e9;

/** As `du` counts it: files with holes are as large as what is in them. */
async function bytesIn(dir: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // It may be gone by now.
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += (found?.blocks ?? 0) * 512;
  }
  return bytes;
}

/** Words without digits: those with some count as a number. */
function newLetters(): string {
  return newEventId().replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
}

test('what is acknowledged in a storm is stored or counted, even if the server is killed', async () => {
  await using server = await Server.create({ CULPRIT_STORM_GUARD: 'on' });
  const end = new AbortController();
  const { sent, done } = flood(envelopeUrl(server.installed.dsn), end.signal, 50);
  await server.until('the guard has noticed', () => isInStorm(server));
  const before = sent.acknowledged;
  await server.until('events are sampled', () => sent.acknowledged > before + 2_000);
  await server.kill();
  end.abort();
  await done;
  await server.start();
  await server.drained();
  await using events = await server.events();
  const [found] = await events.query<Record<'weight' | 'stored' | 'hours' | 'outcomes', number>>(
    `SELECT sum(1 + stands_for) AS weight, count() AS stored, (SELECT sum(events) FROM issue_hours) AS hours,
       (SELECT sum(quantity) FROM outcomes WHERE category = 'error' AND (outcome = 'accepted' OR reason = 'storm')) AS outcomes
     FROM errors`,
  );
  console.log(`acknowledged ${sent.acknowledged}, stored ${found?.stored}, counted ${found?.weight}`);
  expect(found?.weight).toBeGreaterThanOrEqual(sent.acknowledged);
  expect(found?.weight).toBeLessThanOrEqual(sent.asked);
  expect(found?.stored).toBeLessThan(sent.acknowledged);
  expect(found).toMatchObject({ hours: found?.weight, outcomes: found?.weight });
});
