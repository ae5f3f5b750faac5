/** One part of `symbolicate`, a process of its own, so that its memory is its own. Prints one line of JSON. */
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import {
  buildLookup,
  createLookupCache,
  type LookupCache,
  type ReadRange,
} from '../server/src/domains/artifacts/lookup/index.ts';

export interface PartResult {
  /** Building; or until the first frame was found, opening included. */
  readonly firstMs: number;
  /** Frames a second, the first included, from nothing in memory. */
  readonly coldPerSecond: number;
  readonly warmPerSecond: number;
  /** Of those that a map is asked for alone; with the source line and those around it. */
  readonly withContextPerSecond: number;
  readonly found: number;
  readonly tokens: number;
  readonly fileBytes: number;
  /** Largest resident set until then, without what Node itself takes; the rounds of warm frames are not in it. */
  readonly peakBytes: number;
  /** What the cache says that it holds. */
  readonly heldBytes: number;
}

type Frame = readonly [line: number, column: number, functionName: string];

const warmMs = 1500;
const cacheBytes = 64 * 1024 * 1024;
const linesAround = 5;

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    map: { type: 'string', default: '' },
    script: { type: 'string', default: '' },
    frames: { type: 'string', default: '' },
    lookup: { type: 'string', default: '' },
  },
});
const baseBytes = process.memoryUsage().rss;
const peak = (): number => process.resourceUsage().maxRSS * 1024 - baseBytes;

const readRangeOf = async (path: string): Promise<ReadRange & AsyncDisposable> => {
  const file = await open(path);
  const read = async (start: number, length: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  };
  return Object.assign(read, { [Symbol.asyncDispose]: () => file.close() });
};

const seconds = (since: number): number => (performance.now() - since) / 1000;

/** Whole rounds over the frames, for at least a while; gives frames a second. */
async function repeat(frames: readonly Frame[], one: (frame: Frame) => unknown): Promise<number> {
  const started = performance.now();
  let count = 0;
  do {
    for (const frame of frames) {
      const pending = one(frame);
      if (pending instanceof Promise) await pending;
    }
    count += frames.length;
  } while (performance.now() - started < warmMs);
  return count / seconds(started);
}

async function build(): Promise<Partial<PartResult>> {
  const [map, script] = [await readFile(values.map), await readFile(values.script)];
  const started = performance.now();
  const { chunks, tokens } = buildLookup({ map, script });
  await writeFile(values.lookup, chunks);
  return { firstMs: seconds(started) * 1000, tokens, peakBytes: peak(), fileBytes: (await stat(values.lookup)).size };
}

async function ours(frames: readonly Frame[]): Promise<Partial<PartResult>> {
  await using read = await readRangeOf(values.lookup);
  const cacheOf = (): LookupCache => createLookupCache({ read: () => read, maxBytes: cacheBytes });
  // What is compiled late would be counted as the first file's cost otherwise; another cache, so nothing is kept.
  const other = await cacheOf().get('warm-up');
  for (const [line, column] of frames.slice(0, 20)) await other.find(line, column);

  const cache = cacheOf();
  const find = async ([line, column, name]: Frame): Promise<boolean> =>
    (await (await cache.get('map')).find(line, column, name)) !== undefined;
  const started = performance.now();
  const [first, ...rest] = frames;
  let found = first && (await find(first)) ? 1 : 0;
  const firstMs = seconds(started) * 1000;
  for (const frame of rest) if (await find(frame)) found++;
  const coldPerSecond = frames.length / seconds(started);
  const peakBytes = peak();
  const warmPerSecond = await repeat(frames, find);
  const withContextPerSecond = await repeat(frames, async ([line, column, name]) => {
    const lookup = await cache.get('map');
    const position = await lookup.find(line, column, name);
    if (position) await lookup.context(position.sourceId, position.line, linesAround);
  });
  return {
    firstMs,
    coldPerSecond,
    warmPerSecond,
    withContextPerSecond,
    found,
    peakBytes,
    heldBytes: cache.stats().bytes,
  };
}

async function trace(frames: readonly Frame[]): Promise<Partial<PartResult>> {
  const started = performance.now();
  const map = new TraceMap(await readFile(values.map, 'utf8'));
  const find = ([line, column]: Frame): boolean =>
    originalPositionFor(map, { line, column: column - 1 }).source !== null;
  const [first, ...rest] = frames;
  let found = first && find(first) ? 1 : 0;
  const firstMs = seconds(started) * 1000;
  for (const frame of rest) if (find(frame)) found++;
  const coldPerSecond = frames.length / seconds(started);
  const peakBytes = peak();
  return { firstMs, coldPerSecond, found, peakBytes, warmPerSecond: await repeat(frames, find) };
}

const frames = values.frames ? (JSON.parse(await readFile(values.frames, 'utf8')) as Frame[]) : [];
const result =
  values.part === 'build' ? await build() : values.part === 'trace' ? await trace(frames) : await ours(frames);
console.log(JSON.stringify(result));
