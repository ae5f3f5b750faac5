/** `erase`: how long a person among many takes to be found and erased, and what a byte search finds of them afterwards. */
import { cpSync, createReadStream, readdirSync, type Dirent } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chunkBytes, decodeChunk, headBytes } from '../server/src/ports/payloads/chunk.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { type Account, type Culprit, organization } from './culprit.ts';
import { openWithEvents } from './query.ts';
import { atMost, createReport, finding, type Report } from './report.ts';
import { measureCpu, measureOthers } from './usage.ts';

export interface EraseOptions {
  readonly events: number;
  /** Of them, those of the person; as many come beside, at last. */
  readonly own: number;
  /** Directory in which the filled store stays and is found again: of a copy of it the person is erased. */
  readonly keep?: string | undefined;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const person = { id: 'bench-person-77310', email: 'bench.person@mail.example', username: 'Bennie Chperson' };
const sentAtOnce = 20;
const pollMs = 250;
const sharedBytes = 256;
/** Cores. */
const mostOthers = 0.3;

/** Events that name the person in their fields, a tag, a breadcrumb and the message. */
async function plant({ url }: Culprit, { projectId, key }: Account, count: number): Promise<void> {
  const send = async (number: number): Promise<void> => {
    const id = crypto.randomUUID().replaceAll('-', '');
    const event = {
      event_id: id,
      timestamp: Date.now() / 1000,
      platform: 'node',
      user: person,
      tags: { customer: person.email },
      breadcrumbs: { values: [{ category: 'http', message: `GET /users/${person.id}` }] },
      exception: {
        values: [
          {
            type: 'MailError',
            value: `no mail to ${person.email}`,
            stacktrace: { frames: [{ filename: 'mail.js', function: `send${number % 20}`, lineno: 1, in_app: true }] },
          },
        ],
      },
    };
    const response = await fetch(`${url}/api/${projectId}/envelope/?sentry_key=${key}`, {
      method: 'POST',
      body: `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`,
    });
    if (response.status !== 200) throw new Error(`an event of the person was answered with ${response.status}`);
    await response.arrayBuffer();
  };
  for (let done = 0; done < count; done += sentAtOnce)
    await Promise.all(Array.from({ length: Math.min(sentAtOnce, count - done) }, (_, at) => send(done + at)));
}

interface Request {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
  readonly found: readonly { readonly own: number; readonly mentioned: number }[] | null;
}

export async function runErase({ events, own, keep, dir, progress }: EraseOptions): Promise<Report> {
  const root = makeTempDir(dir);
  const dataDir = join(root, 'data');
  const every = Math.ceil(events / own);
  const spread = Math.ceil(events / every);
  // In each segment and each week, as somebody is who comes every day.
  const made = { inSegments: true, person: { every, ...person } };
  if (keep) {
    const whole = await openWithEvents(join(keep, 'data'), events, progress, made);
    await whole.culprit.stop();
    cpSync(keep, root, { recursive: true, verbatimSymlinks: true });
  }
  const { culprit, filled } = await openWithEvents(dataDir, events, progress, made);
  const { account } = filled;
  await plant(culprit, account, own);
  const others = measureOthers();
  const at = `${culprit.url}/api/0/organizations/${organization}/erasures/`;
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${at}${path}`, {
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${path || 'a request'} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const until = async (id: string, status: string): Promise<Request> => {
    let said = '';
    for (;;) {
      const request = await ask<Request>(`${id}/`);
      // It is tried again.
      if (request.detail !== said) progress((said = request.detail) || 'it goes on');
      if (request.status === status) return request;
      if (request.status === 'failed') throw new Error(`the request failed: ${request.detail}`);
      await delay(pollMs);
    }
  };
  const values = [
    { kind: 'id', value: person.id },
    { kind: 'email', value: person.email },
    { kind: 'name', value: person.username },
  ];
  const countOf = ({ found }: Request): number =>
    (found ?? []).reduce((sum, { own: theirs, mentioned }) => sum + theirs + mentioned, 0);
  const search = async (reference: string): Promise<Request> =>
    until((await ask<Request>('', { reference, person: values })).id, 'found');

  const timed = async <T>(work: () => Promise<T>) => {
    const began = performance.now();
    const cpuSince = measureCpu(culprit);
    const value = await work();
    const seconds = (performance.now() - began) / 1000;
    const { serverSeconds, engineSeconds } = cpuSince();
    return { value, seconds, serverSeconds, engineSeconds };
  };

  const finds = await timed(() => search('bench'));
  const found = finds.value;
  progress(`found ${countOf(found)} rows in ${finds.seconds.toFixed(1)} s`);
  const texts = Object.values(person);
  const before = { rows: await rowsWith(culprit, texts), files: (await filesWith(dataDir, texts)).length };
  progress(`${before.rows} rows and ${before.files} files have a value of the person`);
  const erases = await timed(async () => {
    await ask(`${found.id}/erase/`, { confirm: person.email });
    await until(found.id, 'done');
  });
  progress(`erased in ${erases.seconds.toFixed(1)} s`);
  const left = countOf(await search('again'));
  const [rows] = await culprit.engine<{ count: number }>('SELECT toUInt32(count()) AS count FROM errors');
  const rowsLeft = await rowsWith(culprit, texts);
  await culprit.stop();
  const files = await filesWith(dataDir, texts);
  for (const file of files) progress(`still in ${file}`);
  removeTempDir(root);
  const least = spread + own * 0.99;
  const busy = others();
  return createReport(
    'erase',
    { events, own },
    [
      finding('rows found of the person', '', countOf(found)),
      finding('finding', 's', finds.seconds),
      finding('finding, processor time of the server', 's', finds.serverSeconds),
      finding('finding, processor time of the engine', 's', finds.engineSeconds),
      finding('erasing, with the last search and the bytes written over', 's', erases.seconds, atMost(3_600)),
      finding('erasing, processor time of the server', 's', erases.serverSeconds),
      finding('erasing, processor time of the engine', 's', erases.engineSeconds),
      finding('rows that another search finds', '', left, atMost(0)),
      finding('rows of all tables with a value of the person before', '', before.rows),
      finding('rows with one afterwards', '', rowsLeft, atMost(0)),
      finding('files with one before, segments unpacked', '', before.files),
      finding('files with one afterwards, segments unpacked', '', files.length, atMost(0)),
      finding('events of others that are gone', '', Math.max(0, events - spread - (rows?.count ?? 0)), atMost(0)),
      finding('cores busy with something else', '', busy),
    ],
    [
      ...(countOf(found) < least ? [`Only ${countOf(found)} rows of ${spread + own} were found.`] : []),
      ...(busy > mostOthers ? ['The machine was busy with other work: seconds say less than processor time.'] : []),
    ],
  );
}

/** Rows of all tables that have one of the texts anywhere, parts that nobody reads any more left out. */
async function rowsWith(culprit: Culprit, texts: readonly string[]): Promise<number> {
  const tables = await culprit.engine<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
  );
  const list = texts.map((text) => `'${text.replaceAll("'", "\\'")}'`).join(', ');
  let count = 0;
  for (const { name } of tables) {
    const [row] = await culprit.engine<{ n: number }>(
      `SELECT toUInt32(count()) AS n FROM "${name}" WHERE multiSearchAnyCaseInsensitive(formatRow('TSV', *), [${list}])`,
    );
    count += row?.n ?? 0;
  }
  return count;
}

/** Paths of files that have one of the texts, in any case of letters; in segments of payloads as they are unpacked. */
async function filesWith(dir: string, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const isIn = (text: string): boolean => wanted.some((one) => text.toLowerCase().includes(one));
  const found: string[] = [];
  for (const entry of entriesOf(dir)) {
    const path = join(dir, entry.name);
    // The engine's links by name lead to what is looked at anyway, or to the store that this one is a copy of.
    if (entry.isDirectory()) found.push(...(await filesWith(path, texts)));
    if (!entry.isFile()) continue;
    const has = segments.has(extname(path)) ? segmentHas : fileHas;
    if (await has(path, isIn).catch(unlessGone)) found.push(path);
  }
  return found;
}

const segments: ReadonlySet<string> = new Set(['.packed', '.chunks']);

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    unlessGone(error as NodeJS.ErrnoException);
    return [];
  }
}

/** What is merged meanwhile stands in what it was merged into. */
function unlessGone(error: NodeJS.ErrnoException): boolean {
  if (error.code !== 'ENOENT') throw error;
  return false;
}

async function fileHas(path: string, isIn: (text: string) => boolean): Promise<boolean> {
  let before = '';
  for await (const piece of createReadStream(path, { encoding: 'latin1', highWaterMark: 4 * 2 ** 20 })) {
    const text = before + String(piece);
    if (isIn(text)) return true;
    before = text.slice(-sharedBytes);
  }
  return false;
}

const zstdMagic = 0xfd2fb528;

/** All chunks, one after the other, whether its index has what is in them or not. */
async function segmentHas(path: string, isIn: (text: string) => boolean): Promise<boolean> {
  const bytes = await readFile(path);
  for (let at = 0; at + headBytes + 4 <= bytes.length;) {
    const chunk = bytes.subarray(at);
    if (chunk.readUInt32LE(headBytes) !== zstdMagic) break;
    for (const entry of decodeChunk(chunk))
      if (isIn(Buffer.concat([entry.bytes, entry.beside]).toString('latin1'))) return true;
    at += chunkBytes(chunk);
  }
  return fileHas(path, isIn);
}
