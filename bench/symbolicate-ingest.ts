/** What the upload, the indexing and the use of a large map do to those who send events meanwhile: a part of `symbolicate`. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { makeZip } from '../server/src/domains/artifacts/testing/bundle.ts';
import { budgets } from './budgets.ts';
import { runLoad } from './child.ts';
import { createCorpus } from './corpus.ts';
import { type Account, createApi, type Culprit, initCulprit, organization, startCulprit } from './culprit.ts';
import type { HttpClient } from './http-client.ts';
import { countStored, readBacklog, waitUntilStored } from './intake.ts';
import type { LoadResult } from './load.ts';
import { finding, type Finding } from './report.ts';
import type { MadeMap } from './symbolicate-map.ts';
import { readMemory, sampleEvery } from './usage.ts';

export interface SymbolicateIngestOptions {
  readonly made: MadeMap;
  /** Events a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly dir: string;
  readonly progress: (line: string) => void;
}

const connections = 16;
const framesPerEvent = 20;
/** Each with frames of its own, all over the map. */
const bugs = 60;
const warmUpEvents = 1000;
const script = 'http://127.0.0.1:8080/assets/index.js';
const pollMs = 200;
const indexedWithinMs = 300_000;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function measureIngest(options: SymbolicateIngestOptions): Promise<Finding[]> {
  const { made, rate, seconds, dir, progress } = options;
  const debugId = randomUUID();
  const count = rate * seconds;
  const corpora = {
    warmUp: join(dir, 'warm-up'),
    before: join(dir, 'before'),
    during: join(dir, 'during'),
    after: join(dir, 'after'),
  };
  for (const [seed, path] of Object.values(corpora).entries())
    await writeMappedCorpus(path, {
      seed: seed + 1,
      count: path === corpora.warmUp ? warmUpEvents : count,
      made,
      debugId,
    });

  const dataDir = join(dir, 'data');
  const culprit = await startCulprit(dataDir);
  const account = await initCulprit(dataDir);
  const api = createApi(culprit, account);
  const send = async (corpus: string, events: number): Promise<Phase> => {
    const stored = await countStored(api);
    let lagSeconds = 0;
    let memoryMb = 0;
    const sampling = sampleEvery(250, async () => {
      lagSeconds = Math.max(lagSeconds, (await readBacklog(api)).lagSeconds);
      memoryMb = Math.max(memoryMb, readMemory(culprit).serverMb);
    });
    const url = `${culprit.url}/api/${account.projectId}/envelope/`;
    const load = await runLoad({ corpus, url, key: account.key, encoding: 'identity', connections, rate });
    await waitUntilStored(api, stored + events);
    await sampling.stop();
    return { load, lagSeconds, memoryMb };
  };
  await send(corpora.warmUp, warmUpEvents);
  progress(`sending ${rate} events a second for ${seconds} s: before, during and after the upload`);
  const before = await send(corpora.before, count);
  const indexing = uploadMap(culprit, account, api, { made, debugId });
  const during = await send(corpora.during, count);
  const indexedMs = await indexing;
  const after = await send(corpora.after, count);
  const mapped = await countMapped(api, account);
  api.close();
  await culprit.stop();
  return [
    ...describe('before the upload', before),
    ...describe('while it is uploaded and indexed', during),
    ...describe('with the map in use', after),
    finding('from the upload to the index', 'ms', indexedMs),
    finding('mapped frames of the newest event', `of ${framesPerEvent}`, mapped),
  ];
}

interface Phase {
  readonly load: LoadResult;
  readonly lagSeconds: number;
  readonly memoryMb: number;
}

function describe(when: string, { load, lagSeconds, memoryMb }: Phase): Finding[] {
  return [
    finding(`ack p50, ${when}`, 'ms', load.ack.p50),
    finding(`ack p99, ${when}`, 'ms', load.ack.p99),
    finding(`lag, largest, ${when}`, 's', lagSeconds, budgets.lagSeconds),
    finding(`memory of the server, largest, ${when}`, 'MB', memoryMb),
    finding(`not accepted, ${when}`, 'requests', load.sent - (load.statuses['200'] ?? 0), budgets.lost),
  ];
}

interface CorpusSpec {
  readonly seed: number;
  readonly count: number;
  readonly made: MadeMap;
  readonly debugId: string;
}

/** The usual corpus with frames of the map in place of its own; those of a bug are always the same. */
export async function writeMappedCorpus(path: string, { seed, count, made, debugId }: CorpusSpec): Promise<void> {
  const file = createWriteStream(path);
  let next = seed;
  for (const { eventId, body } of createCorpus({ seed, count, encoding: 'identity', nowMs: Date.now() })) {
    const [header = '', item = '', payload = '{}'] = body.toString('utf8').split('\n');
    const event = JSON.parse(payload) as Record<string, unknown>;
    next = (next * 48_271) % 2_147_483_647;
    // The first bugs are far more frequent than the last.
    const bug = Math.floor(bugs * (next / 2_147_483_647) ** 3);
    const frames = Array.from({ length: framesPerEvent }, (_, index) => {
      const [lineno, colno, name] = made.frames[(bug * framesPerEvent + index) % made.frames.length] ?? [1, 1, '?'];
      return { filename: script, abs_path: script, function: name, lineno, colno, in_app: true };
    });
    const changed = Buffer.from(
      `${header}\n${item}\n${JSON.stringify({
        ...event,
        platform: 'javascript',
        exception: { values: [{ type: 'TypeError', value: 'x is undefined', stacktrace: { frames } }] },
        debug_meta: { images: [{ type: 'sourcemap', code_file: script, debug_id: debugId }] },
      })}`,
    );
    const head = Buffer.alloc(36);
    head.writeUInt32LE(changed.length, 0);
    head.write(eventId, 4, 'latin1');
    file.write(Buffer.concat([head, changed]));
  }
  file.end();
  await finished(file);
}

function makeBundle(made: MadeMap, debugId: string): Buffer {
  const headers = { 'debug-id': debugId };
  const files = {
    '_/_/index.js': {
      type: 'minified_source',
      url: '~/assets/index.js',
      headers: { ...headers, sourcemap: 'index.js.map' },
    },
    '_/_/index.js.map': { type: 'source_map', url: '~/assets/index.js.map', headers },
  };
  return makeZip([
    { name: '_/_/index.js', content: made.script, deflate: true },
    { name: '_/_/index.js.map', content: made.map, deflate: true },
    { name: 'manifest.json', content: JSON.stringify({ files, org: organization, project: 'shop' }) },
  ]);
}

/** Uploads as clients do; resolves to the ms until the bundle is indexed. */
export async function uploadMap(
  culprit: Culprit,
  account: Account,
  api: HttpClient,
  { made, debugId }: Pick<CorpusSpec, 'made' | 'debugId'>,
): Promise<number> {
  const bundle = makeBundle(made, debugId);
  const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
  const started = performance.now();
  const base = `/api/0/organizations/${organization}`;
  const { chunkSize } = JSON.parse((await api.get(`${base}/chunk-upload/`)).text) as { chunkSize: number };
  const chunks: string[] = [];
  for (let at = 0; at < bundle.length; at += chunkSize) {
    const chunk = bundle.subarray(at, at + chunkSize);
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(chunk)]), sha1(chunk));
    chunks.push(sha1(chunk));
    const answer = await fetch(`${culprit.url}${base}/chunk-upload/`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${account.token}` },
    });
    if (!answer.ok) throw new Error(`a chunk was answered ${answer.status}: ${await answer.text()}`);
  }
  const request = JSON.stringify({ checksum: sha1(bundle), chunks, projects: [account.project] });
  for (;;) {
    const answer = await fetch(`${culprit.url}${base}/artifactbundle/assemble/`, {
      method: 'POST',
      body: request,
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    });
    const { state, detail } = (await answer.json()) as { state?: string; detail?: string };
    if (state === 'ok') return performance.now() - started;
    if ((state !== 'created' && state !== 'assembling') || performance.now() - started > indexedWithinMs)
      throw new Error(`the bundle is ${state ?? answer.status}: ${detail ?? ''}`);
    await delay(pollMs);
  }
}

interface ShownEvent {
  readonly entries: readonly { readonly data: unknown }[];
}

async function countMapped(api: HttpClient, { project }: Account): Promise<number> {
  const issues = JSON.parse((await api.get(`/api/0/projects/${organization}/${project}/issues/?limit=1`)).text) as {
    id: string;
  }[];
  const { text } = await api.get(`/api/0/issues/${issues[0]?.id}/events/latest/`);
  const event = JSON.parse(text) as ShownEvent;
  return (JSON.stringify(event.entries).match(/"sourcemap":/g) ?? []).length;
}
