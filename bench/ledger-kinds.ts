/** The ledger's part about everything else that is sent: the whole program, per event, span, log or session. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLoad } from './child.ts';
import { createCorpus, type Encoding } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Account, createApi, getJson, organization } from './culprit.ts';
import type { HttpClient } from './http-client.ts';
import { type Kind, kinds, targetOf } from './ingest-kinds.ts';
import { countStored, waitUntilStored } from './intake.ts';
import type { Line } from './ledger-lines.ts';
import type { Started } from './ledger-server.ts';
import type { LoadTarget } from './load.ts';
import { uploadMap, writeMappedCorpus } from './symbolicate-ingest.ts';
import { makeMap } from './symbolicate-map.ts';
import { measureCpu } from './usage.ts';

interface KindsOptions {
  readonly dir: string;
  readonly progress: (line: string) => void;
}

/** One of the ledger's lines. */
interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly encoding?: Encoding;
  readonly targets?: string;
  /** Instead of the kind's own envelopes. */
  readonly write?: (path: string, seed: number, count: number) => Promise<void> | void;
  /** Of what follows once all is stored. */
  readonly restMs?: number;
}

const connections = 16;
const pollMs = 100;
/** For about a second of processor time. */
const fewestEnvelopes = 100;
const units: Readonly<Record<Kind['unit'], number>> = { event: 1500, session: 3000, span: 15_000, log: 30_000 };
const projects = 200;
const mapMegabytes = 2;
/** With `performanceWait`: until segments are due and examined. */
const examinedMs = 6000;

/** How the server is started, so that performance problems are looked for at once. */
export const performanceWait = { CULPRIT_PERFORMANCE_WAIT_SECONDS: '1' } as const;

export async function measureKinds(started: Started, options: KindsOptions): Promise<readonly Line[]> {
  const { account, culprit } = started;
  const api = createApi(culprit, account);
  const lines: Line[] = [];
  const targets = join(options.dir, 'targets.json');
  writeFileSync(targets, JSON.stringify(await makeProjects(api, account)));
  const cases: Case[] = [
    { name: 'errors', kind: kinds.errors },
    { name: 'errors, gzip', kind: kinds.errors, encoding: 'gzip' },
    { name: `errors of ${projects} projects`, kind: kinds.errors, targets, write: writeKnown },
    // As many projects have two hundred times the issues: most of these events are the first of theirs.
    { name: `errors of ${projects} projects, new issues`, kind: kinds.errors, targets },
    { name: 'errors of 2 kB', kind: kinds.small },
    { name: 'sessions', kind: kinds.sessions },
    { name: 'logs', kind: kinds.logs },
    { name: 'spans in transactions', kind: kinds.transactions },
    { name: 'spans with performance problems', kind: kinds.slow, restMs: examinedMs },
    { name: 'spans in containers', kind: kinds.containers },
    { name: 'spans by OTLP', kind: kinds.otlp },
  ];
  for (const each of cases) lines.push(...(await measureCase(started, api, each, options)));
  // The last: from the upload on, the project's events wait for their scripts.
  const made = makeMap(mapMegabytes, 1);
  const debugId = randomUUID();
  await uploadMap(culprit, account, api, { made, debugId });
  const write = (path: string, seed: number, count: number): Promise<void> =>
    writeMappedCorpus(path, { seed, count, made, debugId });
  const mapped = { name: 'errors with mapped frames', kind: kinds.errors, write };
  lines.push(...(await measureCase(started, api, mapped, options)));
  api.close();
  return lines;
}

function writeKnown(path: string, seed: number, count: number): void {
  writeCorpusFile(path, createCorpus({ seed, count, encoding: 'identity', nowMs: Date.now(), projects }));
}

async function makeProjects(api: HttpClient, { projectId, key }: Account): Promise<LoadTarget[]> {
  const targets: LoadTarget[] = [{ projectId, key }];
  while (targets.length < projects) {
    const name = `shop-${targets.length}`;
    const made = await api.post(`/api/0/organizations/${organization}/projects/`, JSON.stringify({ name }));
    if (made.status !== 201) throw new Error(`a project was answered ${made.status}: ${made.text.slice(0, 300)}`);
    const { id, slug } = JSON.parse(made.text) as { id: string; slug: string };
    const [first] = await getJson<{ public: string }[]>(api, `/api/0/projects/${organization}/${slug}/keys/`);
    targets.push({ projectId: id, key: first?.public ?? '' });
  }
  return targets;
}

async function measureCase(
  { culprit, account }: Started,
  api: HttpClient,
  { name, kind, encoding = 'identity', targets, write, restMs = 0 }: Case,
  { dir, progress }: KindsOptions,
): Promise<Line[]> {
  const count = Math.max(fewestEnvelopes, units[kind.unit] / kind.each);
  const corpus = join(dir, 'kind');
  const send = async (seed: number): Promise<void> => {
    const before = await countStored(api, kind);
    const load = await runLoad({
      ...targetOf(culprit, account, kind),
      corpus,
      encoding,
      connections,
      ...(targets && { targets }),
    });
    const expected = before + (load.statuses['200'] ?? 0) * kind.each;
    const { stored } = await waitUntilStored(api, expected, { ...kind, pollMs });
    if (load.statuses['200'] !== count || stored < expected)
      throw new Error(`${name}, ${seed}: ${JSON.stringify(load.statuses)}, ${expected - stored} are missing`);
    await new Promise((resolve) => setTimeout(resolve, restMs));
  };
  const costs: { server: number; engine: number }[] = [];
  // The first one warms up.
  for (let seed = 1; seed <= 2; seed++) {
    if (write) await write(corpus, seed, count);
    else writeCorpusFile(corpus, kind.envelopes({ seed, count, encoding, nowMs: Date.now() }));
    const used = measureCpu(culprit);
    await send(seed);
    const { serverSeconds, engineSeconds } = used();
    const us = 1e6 / (count * kind.each);
    costs.push({ server: serverSeconds * us, engine: engineSeconds * us });
  }
  const { server = 0, engine = 0 } = costs.at(-1) ?? {};
  progress(`${name}: ${server.toFixed(0)} + ${engine.toFixed(0)} µs`);
  return [
    { part: 'kinds', name: `${name}: server`, us: server },
    { part: 'kinds', name: `${name}: engine`, us: engine },
  ];
}
