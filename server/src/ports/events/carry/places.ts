/** Where copies lie that rows do not know of yet. */
import type { Payloads } from '../../payloads/payloads.ts';
import type { Events } from '../events.ts';
import { changeRows } from './mutations.ts';

/** Of a store whose payloads lie in segments of this machine. */
export type CarriedEvents = Events & { readonly payloads: Payloads };

export const hasSegments = (events: Events): events is CarriedEvents =>
  events.payloads !== undefined && events.address.payloadsDir !== undefined;

export interface CarryOptions {
  readonly signal: AbortSignal;
  /** Waits as long as what took so long (ms) asks for, so that others have the machine. */
  rest(tookMs: number): Promise<void>;
}

/** Nobody waits for it. */
export const patient = { maxExecutionSeconds: 300 };
/** The engine's threads are for those who ask. */
export const modest = 'SETTINGS max_threads = 1';

/** Payloads that are held at once, bytes; one may be more. */
const pieceBytes = 4 * 1024 * 1024;

export function* piecesOf<T extends { readonly bytes: number }>(all: readonly T[]): Generator<T[]> {
  let piece: T[] = [];
  let bytes = 0;
  for (const each of all) {
    if (piece.length > 0 && bytes + each.bytes > pieceBytes) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(each);
    bytes += each.bytes;
  }
  if (piece.length > 0) yield piece;
}

/** The same for rows that cannot be told apart: they have one place. */
export const keyOfRow =
  'cityHash64(project_id, CAST(group_hash AS String), event_id, toUnixTimestamp64Milli(timestamp))';

/** In the engine's memory, so that one that was killed knows of none: their rows are then copied again. */
export class Places {
  readonly #events: CarriedEvents;
  readonly #week: string;
  count = 0;

  constructor(events: CarriedEvents, week: string) {
    this.#events = events;
    this.#week = week;
  }

  /** Never dropped: a change of rows that the engine takes up again after a restart finds it empty, and changes nothing. */
  async clear(): Promise<void> {
    await this.#events.command(
      `CREATE TABLE IF NOT EXISTS carried_payloads (key UInt64, segment UInt64, ordinal UInt32)
       ENGINE = Join(ANY, LEFT, key) SETTINGS persistent = 0`,
    );
    await this.#events.command('TRUNCATE TABLE carried_payloads');
    this.count = 0;
  }

  async add(segment: number, keys: readonly string[], ordinals: readonly number[]): Promise<void> {
    await this.#events.command(
      `INSERT INTO carried_payloads SELECT one.1, {segment:UInt64}, one.2
       FROM (SELECT arrayJoin(arrayZip({keys:Array(UInt64)}, {ordinals:Array(UInt32)})) AS one)`,
      { segment, keys: keys.map(BigInt), ordinals },
    );
    this.count += keys.length;
  }

  /** Tells their rows. */
  async place(signal: AbortSignal): Promise<void> {
    if (this.count === 0) return;
    const { database } = this.#events.address;
    // With the database: changes of rows know of none that would be meant.
    const lookUp = (column: string): string => `joinGet('${database}.carried_payloads', '${column}', ${keyOfRow})`;
    const assignments = `payload_segment = ${lookUp('segment')}, payload_ordinal = ${lookUp('ordinal')}`;
    const condition = `payload_segment = 0 AND ${lookUp('segment')} != 0`;
    await changeRows(this.#events, this.#week, { assignments, condition }, signal);
    await this.clear();
  }
}
