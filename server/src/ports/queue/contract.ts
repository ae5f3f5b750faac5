import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sealedOverhead } from '../../base/secrets/index.ts';
import type { Batch, EventLog, Position } from './log.ts';
import { openLog } from './open.ts';
import type { LogOptions } from './open.ts';
import { readable } from './testing/readable.ts';
import { writerOptions } from './testing/writer-options.ts';

const all = { maxRecords: 1_000_000, maxBytes: Number.MAX_SAFE_INTEGER };
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Bytes that a value takes once it is sealed. */
const stored = (bytes: number): number => bytes + sealedOverhead;

export interface LogTraits {
  /** Positions have no gaps, and bytes are those of records alone. Another server's have them, and heads of its own. */
  readonly isExact: boolean;
  /** So long a process may be gone until its batches are given to another, ms. */
  readonly silentMs: number;
}

/** What every log must do. `place` gives where a new one is to be made. */
export function eventLogContract(
  name: string,
  place: () => Promise<Omit<LogOptions, 'limitBytes'>>,
  { isExact, silentMs }: LogTraits = { isExact: true, silentMs: 0 },
): void {
  const opened: EventLog[] = [];
  const open = async (options: Omit<LogOptions, 'limitBytes'>, limitBytes = 2 ** 30): Promise<EventLog> => {
    const log = readable(await openLog({ ...options, limitBytes }));
    opened.push(log);
    return log;
  };
  afterEach(async () => {
    for (const log of opened.splice(0)) await log.close();
  });

  const append = (log: EventLog, ...values: readonly string[]) =>
    Promise.all(values.map((value) => log.append(encoder.encode(value))));
  /** What is appended at once may be one for the server; a batch has all of it. */
  const appendEach = async (log: EventLog, ...values: readonly string[]): Promise<Position[]> => {
    const positions: Position[] = [];
    for (const value of values) positions.push(await log.append(encoder.encode(value)));
    return positions;
  };
  /** From 1 without gaps where that is promised, in the end increasing. */
  const expectPositions = (positions: readonly Position[], from: number): void => {
    if (isExact) expect(positions).toEqual(positions.map((_, index) => from + index));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(positions.length);
    expect(positions[0]).toBeGreaterThan(0);
  };
  const valuesOf = (batch: Batch | undefined) => batch?.records.map(({ value }) => decoder.decode(value));
  const rangeOf = (batch: Batch | undefined) =>
    batch && {
      token: batch.token,
      from: batch.from,
      to: batch.to,
      values: valuesOf(batch),
      redelivered: batch.redelivered,
    };
  const drain = async (log: EventLog): Promise<Batch[]> => {
    const batches: Batch[] = [];
    // What a process had that was killed comes after it was silent for a while.
    for (const end = Date.now() + 15 * silentMs; ;) {
      const batch = await log.lease({ maxRecords: 500, maxBytes: 10_000_000 });
      if (batch) {
        batches.push(batch);
        await log.acknowledge(batch);
      } else if (log.stats().records === 0 || Date.now() > end) {
        return batches;
      } else {
        await delay(20);
      }
    }
  };

  describe(`log: ${name}`, () => {
    test('gives records back in the order of append, at positions from 1', async () => {
      const log = await open(await place());
      const positions = await append(log, 'a', 'b', 'c');
      expectPositions(positions, 1);
      const batch = await log.lease(all);
      expect(valuesOf(batch)).toEqual(['a', 'b', 'c']);
      expect(batch).toMatchObject({ from: positions[0], to: positions[2], size: 3, redelivered: false });
      expect(batch?.records.map(({ position }) => position)).toEqual(positions);
      expect(await log.lease(all)).toBeUndefined();
    });

    test('cuts batches by number and by bytes, and gives one record however large', async () => {
      const log = await open(await place());
      await appendEach(log, 'aaaa', 'bbbb', 'cccc', 'x'.repeat(100), 'd');
      expect(valuesOf(await log.lease({ maxRecords: 2, maxBytes: 1000 }))).toEqual(['aaaa', 'bbbb']);
      expect(valuesOf(await log.lease({ maxRecords: 9, maxBytes: 50 }))).toEqual(['cccc']);
      expect(valuesOf(await log.lease({ maxRecords: 9, maxBytes: 50 }))).toEqual(['x'.repeat(100)]);
      expect(valuesOf(await log.lease({ maxRecords: 9, maxBytes: 50 }))).toEqual(['d']);
    });

    test('says whether all that came before is done', async () => {
      const where = await place();
      const log = await open(where);
      expect(await log.isDoneBefore(await log.end())).toBe(true);
      await appendEach(log, 'a', 'b');
      const end = await log.end();
      expect(await log.isDoneBefore(end)).toBe(false);
      const one = { maxRecords: 1, maxBytes: 1e6 };
      const first = await log.lease(one);
      const second = await log.lease(one);
      await append(log, 'of later');
      await log.acknowledge(second!);
      expect(await log.isDoneBefore(end)).toBe(false);
      log.release(first!);
      await log.acknowledge((await log.lease(one))!);
      expect(await log.isDoneBefore(end)).toBe(true);
      expect(await log.isDoneBefore(await log.end())).toBe(false);
      await log.close();
      const again = await open(where);
      expect(await again.isDoneBefore(end)).toBe(true);
      expect(await again.isDoneBefore(await again.end())).toBe(false);
      await drain(again);
      expect(await again.isDoneBefore(await again.end())).toBe(true);
    });

    test('a batch comes in pieces where that is asked for, and comes again as the whole', async () => {
      const where = await place();
      const log = await open(where);
      const values = Array.from({ length: 7 }, (_, index) => String(index).repeat(10));
      values[3] = 'x'.repeat(1000);
      const positions = await append(log, ...values);
      await append(log, 'of the next batch');
      const to = positions[6]!;
      const pieceBytes = 2 * stored(10);
      const batch = await log.lease({ maxRecords: 7, maxBytes: 1e6, pieceBytes });
      expect(batch).toMatchObject({ from: positions[0], to, size: 7 });
      const pieces = [batch?.records ?? []];
      for (let next; (next = (pieces.at(-1)?.at(-1)?.position ?? to) + 1) <= to;)
        pieces.push(await log.read(batch!, next, pieceBytes));
      const found = pieces.map((records) => records.map(({ value }) => decoder.decode(value)));
      expect(found.flat()).toEqual(values);
      expect(found.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
      // From any position, as often as one likes.
      const sixth = positions[5]!;
      expect((await log.read(batch!, sixth, 1e6)).map(({ position }) => position)).toEqual([sixth, to]);
      expect((await log.read(batch!, sixth, 0)).map(({ position }) => position)).toEqual([sixth]);
      await log.close();
      const again = await open(where);
      expect(rangeOf(await again.lease(all))).toEqual({
        token: batch?.token,
        from: positions[0],
        to,
        values,
        redelivered: true,
      });
      expect(valuesOf(await again.lease(all))).toEqual(['of the next batch']);
    });

    test('keeps any bytes, of 20 MiB and of none', async () => {
      const log = await open(await place());
      const values = [randomBytes(20 * 2 ** 20), new Uint8Array(0), randomBytes(5000), randomBytes(1)];
      const positions = await Promise.all(values.map((value) => log.append(value)));
      const batch = await log.lease(all);
      const valueAt = new Map(positions.map((position, index) => [position, values[index]!]));
      const same = batch?.records.map(({ position, value }) => Buffer.compare(value, valueAt.get(position)!));
      expect(same).toEqual([0, 0, 0, 0]);
      // Handed to worker threads: every value must have memory of its own.
      for (const { value } of batch?.records ?? []) structuredClone(value, { transfer: [value.buffer as ArrayBuffer] });
      expect(batch?.records.every(({ value }) => value.length === 0)).toBe(true);
    });

    test('leases at once never overlap', async () => {
      const log = await open(await place());
      await appendEach(log, ...Array.from({ length: 100 }, (_, index) => String(index)));
      const batches = await Promise.all(Array.from({ length: 12 }, () => log.lease({ maxRecords: 10, maxBytes: 1e6 })));
      expect(batches.slice(0, 10).flatMap((batch) => valuesOf(batch))).toEqual(
        Array.from({ length: 100 }, (_, index) => String(index)),
      );
      expect(batches.slice(10)).toEqual([undefined, undefined]);
      expect(new Set(batches.slice(0, 10).map((batch) => batch?.token)).size).toBe(10);
    });

    test('a released batch comes again, the same, before anything newer', async () => {
      const log = await open(await place());
      await appendEach(log, 'a', 'b', 'c', 'd');
      const first = await log.lease({ maxRecords: 1, maxBytes: 100 });
      const second = await log.lease({ maxRecords: 2, maxBytes: 1000 });
      log.release(second!);
      log.release(first!);
      log.release({ from: 1, to: 99 });
      expect(rangeOf(await log.lease(all))).toEqual({ ...rangeOf(first), redelivered: true });
      expect(rangeOf(await log.lease(all))).toEqual({ ...rangeOf(second), redelivered: true });
      expect(valuesOf(await log.lease(all))).toEqual(['d']);
    });

    test('acknowledged records are gone for good; twice, unknown and after release are harmless', async () => {
      const where = await place();
      const log = await open(where);
      await appendEach(log, 'a', 'b', 'c');
      const first = await log.lease({ maxRecords: 1, maxBytes: 100 });
      const second = await log.lease({ maxRecords: 1, maxBytes: 100 });
      await Promise.all([log.acknowledge(first!), log.acknowledge(first!)]);
      await log.acknowledge(first!);
      await log.acknowledge({ from: 77, to: 99 });
      log.release(first!);
      log.release(second!);
      await log.acknowledge(second!);
      expect(log.stats()).toMatchObject({ records: 1, ...(isExact && { bytes: stored(1) }) });
      await log.close();
      expect(valuesOf(await (await open(where)).lease(all))).toEqual(['c']);
    });

    test('batches that were not acknowledged come again after reopening, with the same token', async () => {
      const where = await place();
      const log = await open(where);
      await appendEach(log, 'a', 'b', 'c', 'd', 'e');
      const first = await log.lease({ maxRecords: 2, maxBytes: 1000 });
      const second = await log.lease({ maxRecords: 1, maxBytes: 100 });
      const third = await log.lease({ maxRecords: 1, maxBytes: 100 });
      await log.acknowledge(second!);
      await log.close();

      const again = await open(where);
      // Another server counts what is done and not yet the oldest.
      if (isExact) expect(again.stats()).toMatchObject({ records: 4, bytes: 4 * stored(1) });
      else expect(again.stats().records).toBeGreaterThanOrEqual(4);
      expect(rangeOf(await again.lease(all))).toEqual({ ...rangeOf(first), redelivered: true });
      expect(rangeOf(await again.lease(all))).toEqual({ ...rangeOf(third), redelivered: true });
      expect(rangeOf(await again.lease(all))).toMatchObject({ values: ['e'], redelivered: false });
    });

    test('a position is never used twice, not even when the log was empty in between', async () => {
      const where = await place();
      const tokens = new Set<string>();
      let last = 0;
      for (let round = 0; round < 3; round++) {
        const log = await open(where);
        const positions = await append(log, 'x', 'y');
        expectPositions(positions, round * 2 + 1);
        expect(positions[0]).toBeGreaterThan(last);
        last = positions[1]!;
        for (const { token } of await drain(log)) tokens.add(token);
        expect(log.stats()).toMatchObject({ records: 0, ...(isExact && { bytes: 0 }) });
        await log.close();
      }
      expect(tokens.size).toBe(3);
    });

    test('two logs share no token', async () => {
      const tokens = await Promise.all(
        [1, 2].map(async () => {
          const log = await open(await place());
          await append(log, 'x');
          return (await log.lease(all))?.token;
        }),
      );
      expect(tokens[0]).not.toBe(tokens[1]);
    });

    test('refuses what goes beyond its limit, also of many at once, and takes records again once drained', async () => {
      const log = await open(await place(), 100_000);
      const value = new Uint8Array(9_000);
      const settled = await Promise.allSettled(Array.from({ length: 20 }, () => log.append(value)));
      const refused = settled.filter((result) => result.status === 'rejected');
      const taken = settled.length - refused.length;
      if (isExact) expect(taken).toBe(11);
      expect(taken).toBeGreaterThan(0);
      expect(refused.length).toBeGreaterThan(8);
      expect(refused[0]?.reason).toMatchObject({ code: 'LOG_FULL', status: 503, retryAfter: expect.any(Number) });
      expect(log.stats()).toMatchObject({ records: taken, limitBytes: 100_000, unreadable: 0 });
      if (isExact) expect(log.stats().bytes).toBe(11 * stored(9_000));
      expect((await drain(log)).flatMap(({ records }) => records).length).toBe(taken);
      await vi.waitFor(() => log.append(value), 5_000);
      expect(log.stats()).toMatchObject({ records: 1, ...(isExact && { bytes: stored(9_000) }) });
    });

    test('tells listeners of appends until they unsubscribe', async () => {
      const log = await open(await place());
      let calls = 0;
      const unsubscribe = log.onAppend(() => calls++);
      await append(log, 'a');
      expect(calls).toBe(1);
      await append(log, 'b');
      expect(calls).toBe(2);
      unsubscribe();
      await append(log, 'c');
      expect(calls).toBe(2);
    });

    test('close waits for what was begun, and refuses what comes after', async () => {
      const where = await place();
      const log = await open(where);
      const appends = append(log, 'a', 'b');
      await log.close();
      await log.close();
      expectPositions(await appends, 1);
      await expect(log.append(new Uint8Array(1))).rejects.toThrow(/closed/);
      await expect(log.lease(all)).rejects.toThrow(/closed/);
      expect(valuesOf(await (await open(where)).lease(all))).toEqual(['a', 'b']);
    });

    test('a process that is killed loses nothing that it promised', async () => {
      const where = await place();
      let promised = new Map<number, string>();
      for (const lifeMs of [400, 700]) {
        const said = await runUntilKilled({ ...where, limitBytes: 2 ** 30 }, lifeMs);
        const leased = new Set(said.filter(([word]) => word === 'leased').map(([, token]) => token!));
        for (const [word, token] of said) if (word === 'acknowledged') leased.delete(token!);
        for (const [word, position, written] of said) if (word === 'appended') promised.set(Number(position), written!);
        // An acknowledgement that was under way may have come through.
        const mayBeGone = said
          .filter(([word]) => word === 'acknowledging')
          .map(([, from, to]) => [Number(from), Number(to)]);
        const isLost = (position: number) => !mayBeGone.some(([from, to]) => position >= from! && position <= to!);
        expect(promised.size).toBeGreaterThan(0);

        const log = await open(where);
        const batches = await drain(log);
        const found = new Map(
          batches.flatMap(({ records }) =>
            records.map(({ position, value }) => [position, decoder.decode(value).replace(/\.*$/, '')]),
          ),
        );
        for (const [position, written] of promised) {
          if (isLost(position) || found.has(position)) expect(found.get(position)).toBe(written);
        }
        const tokens = new Set(batches.map(({ token }) => token));
        const underWay = said.filter(([word]) => word === 'acknowledging').at(-1);
        for (const token of leased) {
          if (!tokens.has(token)) expect(token).toMatch(new RegExp(`:${underWay?.[1]}-${underWay?.[2]}$`));
        }
        expect(batches.filter(({ redelivered }) => redelivered).length).toBeLessThanOrEqual(leased.size + 1);
        expect(log.stats()).toMatchObject({ records: 0, ...(isExact && { bytes: 0 }) });
        const next = await log.append(new Uint8Array(0));
        expect(next).toBeGreaterThan(Math.max(...promised.keys()));
        await drain(log);
        await log.close();
        promised = new Map();
      }
    });
  });
}

/** What the writer said, a line a list of words, before it was killed. */
async function runUntilKilled(options: LogOptions, lifeMs: number): Promise<string[][]> {
  const writer = fileURLToPath(new URL('./testing/writer.ts', import.meta.url));
  const child = spawn(process.execPath, [writer, writerOptions(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  await new Promise((resolve) => child.stdout.once('readable', resolve));
  setTimeout(() => child.kill('SIGKILL'), lifeMs);
  // The last line may be cut off.
  return (await said)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
}
