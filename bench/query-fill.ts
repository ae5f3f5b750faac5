/**
 * Fills the events store fast: rows are made by the engine from one processed event, with cardinalities as in use.
 * Two weeks of events; one group to a hundred of them, of which the k-th is about 1/k as frequent as the first; every
 * group is seen now and then over the whole time.
 */
import { join } from 'node:path';
import { openFilePayloads } from '../server/src/ports/payloads/files.ts';
import { packSegment } from '../server/src/ports/payloads/pack.ts';
import type { Payloads, Place } from '../server/src/ports/payloads/payloads.ts';
import type { Culprit } from './culprit.ts';
import { type Placeholder, placeholders } from './query-template.ts';

export const eventsPerGroup = 100;
export const days = 14;

/** Hash of group `g`, the same here and in SQL. */
export const groupHashSql = (g: string): string => `lower(hex(MD5(concat('group ', toString(${g})))))`;
export const eventIdSql = (n: string): string => `lower(hex(MD5(concat('event ', toString(${n})))))`;

const chunkRows = 250_000;
/** The engine has little memory and shares it with the server: small blocks, one thread. */
const settings = {
  max_threads: '1',
  max_insert_threads: '1',
  max_block_size: '8192',
  min_insert_block_size_rows: '16384',
  min_insert_block_size_bytes: '16777216',
  max_memory_usage: '0',
  insert_deduplicate: '1',
};

/** Uniform in [0, 1), a different one for each purpose. */
const chance = (purpose: number): string => `(sipHash64(n, ${purpose}) / 18446744073709551616.)`;
const oneOf = (values: readonly string[], by: string): string =>
  `[${values.map((value) => `'${value}'`).join(', ')}][1 + toUInt64(${by}) % ${values.length}]`;

export const words = [
  'basket',
  'payment',
  'order',
  'invoice',
  'voucher',
  'profile',
  'session',
  'address',
  'shipment',
  'currency',
  'wishlist',
  'catalog',
  'tenant',
  'refund',
  'parcel',
  'review',
];
export const types = [
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'TimeoutError',
  'AbortError',
  'NetworkError',
  'CheckoutError',
  'PaymentError',
  'StockError',
  'Error',
  'ChunkLoadError',
];
const browsers = ['Chrome', 'Chrome', 'Chrome', 'Safari', 'Safari', 'Firefox', 'Edge', 'Opera'];

/** What each placeholder becomes, over `n` (the row), `g` (its group) and `share` (how far in the two weeks, 0 to 1). */
const values: Readonly<Record<Placeholder, string>> = {
  eventId: eventIdSql('n'),
  traceId: `lower(hex(MD5(concat('trace ', toString(intDiv(n, 3))))))`,
  type: oneOf(types, 'g % 12'),
  value: `concat('cannot read ', ${oneOf(words, 'sipHash64(g, 1)')}, ' of ', ${oneOf(words, 'sipHash64(g, 2)')}, ' ', toString(g))`,
  user: `concat('u-', toString(toUInt64(${chance(3)} * ${chance(4)} * 200000)))`,
  release: `concat('shop@5.', toString(toUInt64(share * 40)), '.', toString(toUInt64(${chance(5)} * 3)))`,
  transaction: `concat('/', ${oneOf(words, 'g')}, 's/', toString(g % 40))`,
  tenant: `concat('tenant-', toString(toUInt64(pow(1000., ${chance(6)})) - 1))`,
  noise: `concat(lower(hex(MD5(concat('noise ', toString(n))))), '/', hex(sipHash64(n, 7)), hex(sipHash64(n, 8)))`,
};

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The payload as one concatenation: text between the placeholders, and what stands for them. */
function payloadSql(payload: string): string {
  const names = Object.entries(placeholders) as [Placeholder, string][];
  for (const [name, word] of names)
    if (!payload.includes(word)) throw new Error(`the stored payload has lost "${word}" (${name})`);
  const pattern = new RegExp(`(${names.map(([, word]) => word.replaceAll(/[.@/-]/g, '\\$&')).join('|')})`);
  const parts = payload.split(pattern).map((part) => {
    const name = names.find(([, word]) => word === part)?.[0];
    return name ? `v_${name}` : quote(part);
  });
  return `concat(${parts.join(', ')})`;
}

/** Somebody who is the user of one in so many events, and named in their messages. */
export interface FilledPerson {
  readonly every: number;
  readonly id: string;
  readonly email: string;
}

export interface FillOptions {
  readonly culprit: Culprit;
  readonly dataDir: string;
  readonly events: number;
  readonly nowMs: number;
  /** In segments, as the program stores them, and packed; in the rows otherwise, as an earlier version did. */
  readonly inSegments?: boolean;
  readonly person?: FilledPerson | undefined;
  readonly progress: (line: string) => void;
}

/** Adds `events` rows; resolves to the bytes of one payload. */
export async function fillEvents(options: FillOptions): Promise<number> {
  const { culprit, dataDir, events, nowMs, inSegments, person, progress } = options;
  const places = await culprit.engine<Place>(
    `SELECT payload_segment AS segment, payload_ordinal AS ordinal FROM errors WHERE event_id = '${placeholders.eventId}'`,
  );
  const payloads = openFilePayloads({ dir: join(dataDir, 'payloads') });
  const [payload] = await payloads.read(places);
  if (payload === undefined) throw new Error('the template is not in the store');
  const groups = Math.max(1, Math.floor(events / eventsPerGroup));
  const started = performance.now();
  for (let from = 0; from < events; from += chunkRows) {
    const rows = Math.min(chunkRows, events - from);
    const part = { from, rows, events, groups, nowMs, payload: payloadSql(payload), person };
    const segments = inSegments ? await writeSegments(options, payloads, part) : [];
    await insertChunk(culprit, insertSql(part, segments), { ...settings, insert_deduplication_token: `fill-${from}` });
    const done = from + rows;
    const perSecond = done / ((performance.now() - started) / 1000);
    progress(
      `${done.toLocaleString('en-US')} of ${events.toLocaleString('en-US')} events, ${Math.round(perSecond).toLocaleString('en-US')}/s`,
    );
  }
  return payload.length;
}

/** As many as half an hour brings, after which a segment is left, where a million come in two weeks. */
const segmentRows = 1_500;
const segmentsAtOnce = 10;

/** Payloads of the part in segments of their time, packed; their numbers, each of `segmentRows`. */
async function writeSegments(
  { culprit, dataDir, nowMs, events }: FillOptions,
  payloads: Payloads,
  part: InsertPart,
): Promise<number[]> {
  const numbers: number[] = [];
  for (let at = part.from; at < part.from + part.rows; at += segmentRows * segmentsAtOnce) {
    const rows = Math.min(segmentRows * segmentsAtOnce, part.from + part.rows - at);
    const made = await culprit.engine<{ payload: string; hash: string }>(
      `WITH ${namesSql(part)} SELECT ${part.payload} AS payload, v_hash AS hash FROM (${madeSql({ ...part, from: at, rows })}) ORDER BY n`,
      { max_threads: '1' },
    );
    for (let start = 0; start < made.length; start += segmentRows) {
      const own = made.slice(start, start + segmentRows);
      const begunMs = Math.floor(nowMs - days * 86_400_000 * (1 - (at + start) / events));
      await using writer = payloads.createWriter(() => begunMs);
      using batch = writer.batch();
      for (const { payload, hash } of own)
        numbers[(at - part.from + start) / segmentRows] = batch.add(payload, hash).segment;
      await writer.write(batch);
    }
  }
  for (const number of numbers) await packSegment(join(dataDir, 'payloads'), number, { has: () => true });
  return numbers;
}

const memoryPatience = 100;

/** Merges of what was filled before take memory too; when there is none left, the chunk waits for them. */
async function insertChunk(culprit: Culprit, sql: string, settings: Readonly<Record<string, string>>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await culprit.engine(sql, settings);
      return;
    } catch (error) {
      if (attempt === memoryPatience || !String(error).includes('Code: 241.')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  }
}

interface InsertPart {
  readonly from: number;
  readonly rows: number;
  readonly events: number;
  readonly groups: number;
  readonly nowMs: number;
  /** SQL. */
  readonly payload: string;
  readonly person: FilledPerson | undefined;
}

/** What columns and payloads are made of, over a row of `madeSql`. */
function namesSql({ nowMs, person }: Pick<InsertPart, 'nowMs' | 'person'>): string {
  const isOwn = person && `n % ${person.every} = 0`;
  const own: Partial<Record<Placeholder, string>> = person
    ? {
        user: `if(${isOwn}, ${quote(person.id)}, ${values.user})`,
        value: `concat(${values.value}, if(${isOwn}, ${quote(` of ${person.email}`)}, ''))`,
      }
    : {};
  const named = Object.entries({ ...values, ...own }).map(([name, sql]) => `${sql} AS v_${name}`);
  return [
    ...named,
    `${groupHashSql('g')} AS v_hash`,
    `${oneOf(browsers, `${chance(10)} * ${browsers.length}`)} AS v_browser`,
    `toDateTime64(${(nowMs / 1000).toFixed(3)} - ${days * 86_400} * (1 - share), 3, 'UTC') AS v_at`,
  ].join(',\n      ');
}

/** Rows of numbers: which, how far in the two weeks, and of which group. */
const madeSql = ({ from, rows, events, groups }: Pick<InsertPart, 'from' | 'rows' | 'events' | 'groups'>): string =>
  `SELECT number AS n,
        (number + ${chance(11).replaceAll('(n,', '(number,')}) / ${events} AS share,
        if(number % 10 = 0, intDiv(number, 10) % ${groups}, least(${groups} - 1, toUInt64(pow(${groups + 1}., sipHash64(number, 12) / 18446744073709551616.)) - 1)) AS g
      FROM numbers(${from}, ${rows})`;

/** `segments`: where the payloads lie; in the rows without any. */
function insertSql(part: InsertPart, segments: readonly number[]): string {
  const replaced: Readonly<Record<string, string>> = {
    group_hash: `toFixedString(v_hash, 32)`,
    group_hashes: `[v_hash]`,
    timestamp: 'v_at',
    received_at: 'v_at',
    event_id: 'toFixedString(v_eventId, 32)',
    trace_id: 'v_traceId',
    environment: `if(${chance(9)} < 0.85, 'production', if(${chance(9)} < 0.97, 'staging', 'development'))`,
    release: 'v_release',
    transaction: 'v_transaction',
    title: `concat(v_type, ': ', v_value)`,
    culprit: 'v_transaction',
    error_type: 'v_type',
    error_value: 'v_value',
    // A group with digests is a server's: the cause that Find looks for.
    platform: `if(g % 10 = 0, 'node', 'javascript')`,
    level: `if(g % 7 = 0, 'warning', 'error')`,
    handled: 'if(g % 3 = 0, 1, 0)',
    user: `concat('id:', v_user)`,
    user_id: 'v_user',
    user_ip: `concat('203.0.113.', toString(n % 250))`,
    stack_functions: `arrayMap(i -> concat(${oneOf(words, 'sipHash64(g, 20 + i)')}, toString(sipHash64(g, 40 + i) % 50)), range(20))`,
    stack_filenames: `arrayDistinct(arrayMap(i -> concat('src/', ${oneOf(words, 'sipHash64(g, 20 + i)')}, '/', toString(sipHash64(g, 60 + i) % 30), '.ts'), range(20)))`,
    stack_lines: `arrayDistinct(arrayMap(i -> toUInt32(1 + sipHash64(g, 80 + i) % 900), range(20)))`,
    stack_columns: `arrayDistinct(arrayMap(i -> toUInt32(1 + sipHash64(g, 110 + i) % 90), range(20)))`,
    texts: `sipHash64(g)`,
    error_types: '[v_type]',
    error_values: '[v_value]',
    digest: `if(g % 10 = 0, toString(sipHash64(g, toUInt64(share * 40)) % 4000000000), '')`,
    tags: `mapUpdate(t.tags, map(
      'tenant', v_tenant, 'plan', ${oneOf(['free', 'pro', 'enterprise'], 'sipHash64(v_user)')},
      'browser.name', v_browser, 'browser', concat(v_browser, ' ', toString(140 + n % 17)),
      'os.name', ${oneOf(['Windows', 'macOS', 'iOS', 'Android', 'Linux'], 'sipHash64(v_user, 1)')},
      'url', concat('https://shop.example.com', v_transaction), 'server_name', concat('web-', toString(n % 24)),
      'feature', ${oneOf(words, 'sipHash64(g, 3)')}))`,
    ...(segments.length > 0
      ? {
          payload: `''`,
          payload_segment: `[${segments.join(', ')}][1 + intDiv(n - ${part.from}, ${segmentRows})]`,
          payload_ordinal: `(n - ${part.from}) % ${segmentRows}`,
        }
      : { payload: part.payload, payload_segment: '0', payload_ordinal: '0' }),
  };
  return `INSERT INTO errors
    WITH
      ${namesSql(part)}
    SELECT t.* REPLACE(${Object.entries(replaced)
      .map(([column, sql]) => `${sql} AS ${column}`)
      .join(',\n      ')})
    FROM (
      ${madeSql(part)}
    ) AS made
    CROSS JOIN (SELECT * FROM errors WHERE event_id = '${placeholders.eventId}' LIMIT 1) AS t`;
}
