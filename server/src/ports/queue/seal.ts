/**
 * Records as they lie in the log: sealed, each bound to its log, and to its position where that is known when it is sealed.
 * What an earlier version left there is read as it is.
 */
import { type BoxSetup, isSealed, openBox, type Unopened } from '../../base/secrets/index.ts';
import type { LogRecord, Position } from './log.ts';

/** All that opening records takes, to be sent to the thread that does. Secret. */
export interface ReaderSetup {
  readonly logId: string;
  readonly box: BoxSetup;
  /** Another server gives the positions: records are bound to the log alone. */
  readonly isBoundToLog?: true;
}

export interface RecordSeal {
  /** In memory that `take` gives. */
  seal(position: Position, parts: readonly Uint8Array[], take?: (length: number) => Uint8Array): Uint8Array;
  open(record: LogRecord): Uint8Array | Unopened;
}

export function createRecordSeal({ logId, box: setup, isBoundToLog }: ReaderSetup): RecordSeal {
  const box = openBox(setup);
  const id = Buffer.from(logId, 'utf8');
  const place = Buffer.concat([id, Buffer.alloc(8)]);
  const placeOf = (position: Position): Buffer => {
    place.writeDoubleBE(isBoundToLog ? 0 : position, id.length);
    return place;
  };
  return {
    seal: (position, parts, take) => box.seal(parts, placeOf(position), take),
    open: ({ position, value }) => (isSealed(value) ? box.open(value, placeOf(position)) : value),
  };
}

export interface OpenedRecords {
  readonly records: LogRecord[];
  /** Those that do not open, to be told to `acknowledge`. */
  readonly unreadable: Position[];
}

/** Opens the records of a batch, in any thread; `inPlace` where they lay sealed, instead of in memory of their own. */
export function createReader(
  setup: ReaderSetup,
  { inPlace = false } = {},
): (records: readonly LogRecord[]) => OpenedRecords {
  const { open } = createRecordSeal(setup);
  return (sealed) => {
    const records: LogRecord[] = [];
    const unreadable: Position[] = [];
    for (const record of sealed) {
      const value = open(record);
      if (typeof value === 'string') unreadable.push(record.position);
      else records.push({ position: record.position, value: inPlace ? write(value, record.value) : value });
    }
    return { records, unreadable };
  };
}

function write(value: Uint8Array, place: Uint8Array): Uint8Array {
  place.set(value);
  return place.subarray(0, value.length);
}
