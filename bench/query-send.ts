/**
 * Fills the events store as users do: by intake, with what processing keeps beside the rows. Cardinalities as in
 * `query-fill.ts`, which fills stores that would take too long this way.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runLoad } from './child.ts';
import { createRandom, type Random } from './corpus/random.ts';
import type { CorpusEnvelope } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Account, createApi, type Culprit } from './culprit.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { waitUntilStored } from './intake.ts';
import { days, eventsPerGroup, types, words } from './query-fill.ts';
import { statusOf } from './query-issues.ts';

const dayMs = 86_400_000;
const frameCount = 20;
const connections = 8;

/** Browsers and systems as the engine's fill has them, as far as a line says both. */
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/154.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:148.0) Gecko/20100101 Firefox/148.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
] as const;

const hexOf = (text: string): string => createHash('md5').update(text).digest('hex');
const numberOf = (text: string): number => createHash('md5').update(text).digest().readUInt32LE(0);
const of = <T>(values: readonly T[], number: number): T => values[number % values.length] as T;

export interface SendOptions {
  readonly culprit: Culprit;
  readonly dataDir: string;
  readonly account: Account;
  readonly events: number;
  readonly nowMs: number;
  readonly progress: (line: string) => void;
}

/** Resolves to the mean bytes of an event as it was sent. */
export async function sendEvents({ culprit, dataDir, account, events, nowMs, progress }: SendOptions): Promise<number> {
  const corpus = join(dataDir, '..', 'fill');
  const { meanBytes } = writeCorpusFile(corpus, envelopesOf(events, nowMs));
  progress(`${events.toLocaleString('en-US')} events are being sent`);
  await runLoad({ ...targetOf(culprit, account, kinds.errors), corpus, encoding: 'identity', connections });
  const api = createApi(culprit, account);
  // With the template.
  const { stored } = await waitUntilStored(api, events + 1);
  api.close();
  if (stored <= events) throw new Error(`of ${events} events ${stored - 1} are stored`);
  setStates(dataDir);
  return Math.round(meanBytes);
}

function* envelopesOf(events: number, nowMs: number): Generator<CorpusEnvelope> {
  const random = createRandom(events);
  const groups = Math.max(1, Math.floor(events / eventsPerGroup));
  for (let index = 0; index < events; index++) {
    const group = index % 10 === 0 ? Math.floor(index / 10) % groups : random.zipf(groups);
    const share = (index + random.next()) / events;
    const event = eventOf({ index, group, share, atMs: nowMs - days * dayMs * (1 - share), random });
    const { event_id: eventId } = event;
    const body = Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`);
    yield { eventId, body, sizeBytes: body.length };
  }
}

interface Made {
  readonly index: number;
  readonly group: number;
  /** How far in the two weeks, 0 to 1. */
  readonly share: number;
  readonly atMs: number;
  readonly random: Random;
}

function eventOf({ index, group, share, atMs, random }: Made) {
  const word = (purpose: number): string => of(words, numberOf(`${group}/${purpose}`));
  const transaction = `/${of(words, group)}s/${group % 40}`;
  const user = `u-${Math.floor(random.next() * random.next() * 200_000)}`;
  const frames = Array.from({ length: frameCount }, (_, at) => {
    const seed = numberOf(`${group} frame ${at}`);
    return {
      function: `${word(20 + at)}${seed % 50}`,
      filename: `src/${word(20 + at)}/${(seed >> 8) % 30}.ts`,
      lineno: 1 + ((seed >> 4) % 900),
      colno: 1 + ((seed >> 2) % 90),
      in_app: true,
    };
  });
  const isServer = group % 10 === 0;
  return {
    event_id: hexOf(`event ${index}`),
    platform: isServer ? 'node' : 'javascript',
    level: group % 7 === 0 ? 'warning' : 'error',
    timestamp: atMs / 1000,
    environment: random.next() < 0.85 ? 'production' : random.next() < 0.97 ? 'staging' : 'development',
    release: `shop@5.${Math.floor(share * 40)}.${random.integer(0, 2)}`,
    transaction,
    sdk: { name: isServer ? 'sentry.javascript.nextjs' : 'sentry.javascript.react', version: '11.12.0' },
    exception: {
      values: [
        {
          type: of(types, group),
          value: `cannot read ${word(1)} of ${word(2)} ${group}`,
          mechanism: { type: 'generic', handled: group % 3 === 0 },
          stacktrace: { frames },
        },
      ],
    },
    breadcrumbs: [
      {
        timestamp: atMs / 1000 - 2,
        category: 'fetch',
        type: 'http',
        data: { method: 'GET', url: `/api/${random.hex(40)}`, status_code: 200 },
      },
    ],
    request: {
      url: `https://shop.example.com${transaction}`,
      headers: { 'User-Agent': random.pick(agents) },
    },
    contexts: {
      trace: { trace_id: hexOf(`trace ${Math.floor(index / 3)}`), span_id: random.hex(16) },
      ...(isServer && { react: { digest: String(numberOf(`${group} digest ${Math.floor(share * 40)}`)) } }),
    },
    user: { id: user, ip_address: `203.0.113.${index % 250}` },
    server_name: `web-${index % 24}`,
    tags: {
      tenant: `tenant-${Math.floor(1000 ** random.next()) - 1}`,
      plan: of(['free', 'pro', 'enterprise'], numberOf(user)),
      feature: word(3),
    },
  };
}

/** Some issues are resolved or archived, as they would be by now. */
function setStates(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'state.db'), { timeout: 10_000 });
  try {
    const update = database.prepare('UPDATE issue SET status = ?, substatus = ?, status_changed_at = ? WHERE id = ?');
    for (const { id, number } of database.prepare('SELECT id, number FROM issue').all()) {
      const { status, substatus, status_changed_at: at } = statusOf(Number(number));
      update.run(status, substatus, at, id ?? null);
    }
  } finally {
    database.close();
  }
}
