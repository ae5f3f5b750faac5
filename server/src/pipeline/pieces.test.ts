import { expect, test } from 'vitest';
import type { LogRecord, Position } from '../ports/queue/log.ts';
import { Pieces, type PieceSource } from './pieces.ts';

interface Asked {
  readonly start: Position;
  /** Bytes of each spare buffer. */
  readonly spare: readonly number[];
}

const sealedBytes = 10;

/** A batch of records 1 to `count`, `each` to a piece, and what of it was asked for. */
function batchOf({ count, each, broken = [] }: { count: number; each: number; broken?: readonly Position[] }) {
  const asked: Asked[] = [];
  const pieceFrom = (start: Position): LogRecord[] => {
    const size = Math.min(each, count - start + 1);
    // As the log hands them out: all of a piece in one buffer.
    const memory = new Uint8Array(size * sealedBytes);
    return Array.from({ length: size }, (_, index) => ({
      position: start + index,
      value: memory.subarray(index * sealedBytes, (index + 1) * sealedBytes),
    }));
  };
  const source: PieceSource = {
    open: (sealed) => ({
      records: sealed.filter(({ position }) => !broken.includes(position)),
      unreadable: sealed.map(({ position }) => position).filter((position) => broken.includes(position)),
    }),
    ask: (start, spare) => {
      asked.push({ start, spare: spare.map(({ byteLength }) => byteLength) });
      for (const buffer of spare) buffer.transfer(0);
      return Promise.resolve(pieceFrom(start));
    },
  };
  return { asked, pieces: new Pieces({ from: 1, to: count, records: pieceFrom(1) }, source) };
}

async function positionsOf(pieces: Pieces): Promise<Position[][]> {
  const found: Position[][] = [];
  for await (const records of pieces.read()) {
    // While it is computed its memory is there.
    expect(records.every(({ value }) => value.length === sealedBytes)).toBe(true);
    found.push(records.map(({ position }) => position));
  }
  return found;
}

test('a batch of one piece asks for nothing, not even when it is read again', async () => {
  const { asked, pieces } = batchOf({ count: 3, each: 5 });
  expect(await positionsOf(pieces)).toEqual([[1, 2, 3]]);
  expect(await positionsOf(pieces)).toEqual([[1, 2, 3]]);
  expect(asked).toEqual([]);
  expect(pieces.bytes).toBe(3 * sealedBytes);
  expect(pieces.buffers).toHaveLength(1);
});

test('the next piece is asked for before one is computed, and the memory of the one before goes with it', async () => {
  const { asked, pieces } = batchOf({ count: 7, each: 2 });
  const reading = pieces.read();
  expect((await reading.next()).value).toHaveLength(2);
  expect(asked).toEqual([{ start: 3, spare: [] }]);
  await reading.next();
  expect(asked).toEqual([
    { start: 3, spare: [] },
    { start: 5, spare: [2 * sealedBytes] },
  ]);
  await reading.next();
  const last = await reading.next();
  expect(last.value?.map(({ position }) => position)).toEqual([7]);
  expect(await reading.next()).toEqual({ done: true, value: undefined });
  expect(asked.map(({ start }) => start)).toEqual([3, 5, 7]);
  // Of the last piece, which is given back once everything is stored.
  expect(pieces.buffers.map(({ byteLength }) => byteLength)).toEqual([sealedBytes]);
});

test('another attempt reads everything anew, wherever the one before has ended', async () => {
  for (const read of [1, 2, 4]) {
    const { asked, pieces } = batchOf({ count: 7, each: 2 });
    const given = pieces.read();
    for (let piece = 0; piece < read; piece++) await given.next();
    await given.return();
    asked.length = 0;
    expect(await positionsOf(pieces)).toEqual([[1, 2], [3, 4], [5, 6], [7]]);
    expect(asked.map(({ start }) => start)).toEqual([1, 3, 5, 7]);
    // Of that attempt: the memory of earlier ones may be gone.
    expect(asked[0]?.spare).toEqual([]);
  }
});

test('what does not open is told once, and a piece of nothing else ends no batch', async () => {
  const { pieces } = batchOf({ count: 6, each: 2, broken: [2, 3, 4, 6] });
  expect(await positionsOf(pieces)).toEqual([[1], [], [5]]);
  await positionsOf(pieces);
  expect([...pieces.unreadable]).toEqual([2, 3, 4, 6]);
});
