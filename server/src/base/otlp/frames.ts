/**
 * Where the parts of a protobuf request lie. All three signals nest alike: groups (a resource and its scopes) in field 1,
 * in each its resource in field 1 and scopes in field 2, in each of those the scope in field 1 and records in field 2.
 * Walking reads tags and lengths alone, so that a request is counted and cut without an object for each of its parts.
 */
import protobuf from 'protobufjs/minimal.js';
import { otlp as texts } from '../texts/ingest.ts';
import { OtlpError } from './signals.ts';

/** Bytes from `start` to before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const first = 1;
const second = 2;

/** Called for each part that has a length, with its field number and where it lies. False ends the walk. */
type Visit = (field: number, start: number, end: number) => boolean | void;

/** Throws `OtlpError` where the bytes are no protobuf message. */
function walk(reader: protobuf.Reader, end: number, visit: Visit): void {
  while (reader.pos < end) {
    const { field, wireType } = readTag(reader);
    if (wireType !== 2) {
      skip(reader, wireType, field);
      if (reader.pos > end) throw cutOff(reader.pos);
      continue;
    }
    const start = readLength(reader, end);
    const stop = start.end;
    if (visit(field, start.start, stop) === false) return;
    reader.pos = stop;
  }
}

function readTag(reader: protobuf.Reader): { field: number; wireType: number } {
  const at = reader.pos;
  try {
    const tag = reader.tag();
    if (tag >>> 3 > 0) return { field: tag >>> 3, wireType: tag & 7 };
  } catch {
    throw new OtlpError(texts.notProtobuf(at));
  }
  throw new OtlpError(texts.noField(at));
}

function skip(reader: protobuf.Reader, wireType: number, field: number): void {
  const at = reader.pos;
  try {
    reader.skipType(wireType, 0, field);
  } catch {
    throw new OtlpError(texts.notProtobufOrCut(at));
  }
}

function readLength(reader: protobuf.Reader, end: number): Range {
  const at = reader.pos;
  try {
    const length = reader.size();
    const start = reader.pos;
    if (length <= end - start) return { start, end: start + length };
  } catch {
    throw new OtlpError(texts.notProtobufOrCut(at));
  }
  throw cutOff(at);
}

const cutOff = (at: number): OtlpError => new OtlpError(texts.cutOff(at));

/** How many records a request holds. Throws `OtlpError` where it is no such request at all. */
export function countFrames(bytes: Uint8Array): number {
  const reader = protobuf.Reader.create(bytes);
  let records = 0;
  let groups = 0;
  const inScope: Visit = (field) => {
    if (field === second) records++;
  };
  const inGroup: Visit = (field, start, end) => {
    if (field === second) enter(start, end, inScope);
  };
  const enter = (start: number, end: number, visit: Visit): void => {
    reader.pos = start;
    walk(reader, end, visit);
  };
  walk(reader, bytes.length, (field, start, end) => {
    if (field !== first) return;
    groups++;
    enter(start, end, inGroup);
  });
  // Any short text may pass as fields that nobody knows.
  if (bytes.length > 0 && groups === 0) throw new OtlpError(texts.otherKind);
  return records;
}

/** One record and whose it is; the two outer ones are undefined where the sender left them out. */
export interface Frame {
  readonly resource: Range | undefined;
  readonly scope: Range | undefined;
  readonly record: Range;
}

/** Gives the records in order until `visit` says false. Resource and scope are one object for all records that share them. */
export function eachFrame(bytes: Uint8Array, visit: (frame: Frame) => boolean): void {
  const reader = protobuf.Reader.create(bytes);
  let going = true;
  const inside = ({ start, end }: Range, inner: Visit): void => {
    reader.pos = start;
    walk(reader, end, inner);
  };
  // The order of fields is the sender's: what belongs to all is looked up before the first of them is given.
  const firstIn = (range: Range): Range | undefined => {
    let found: Range | undefined;
    inside(range, (field, start, end) => {
      if (field === first) found = { start, end };
    });
    return found;
  };
  const inGroup = (group: Range): void => {
    const resource = firstIn(group);
    inside(group, (field, start, end) => {
      if (field !== second) return going;
      const scope = firstIn({ start, end });
      inside({ start, end }, (inner, from, to) => {
        if (inner === second) going = visit({ resource, scope, record: { start: from, end: to } });
        return going;
      });
      return going;
    });
  };
  inside({ start: 0, end: bytes.length }, (field, start, end) => {
    if (field === first) inGroup({ start, end });
    return going;
  });
}
