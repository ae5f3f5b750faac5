/**
 * Files of records, one after the other: u32le length of the value, u32le CRC-32 of position and value, f64le position,
 * value. What a crash or a power cut left half written ends a file.
 */
import { open, readdir, readFile, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ignoreMissing } from '../../base/files.ts';
import type { LogRecord, Position } from './log.ts';

const headBytes = 16;

export const sizeInFile = ({ value }: LogRecord): number => headBytes + value.length;

/** Throws where the disk does not take all of it. */
export async function writeRecords(file: FileHandle, records: readonly LogRecord[]): Promise<number> {
  const heads = Buffer.allocUnsafe(records.length * headBytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const [index, { position, value }] of records.entries()) {
    const at = index * headBytes;
    heads.writeUInt32LE(value.length, at);
    heads.writeDoubleLE(position, at + 8);
    heads.writeUInt32LE(checksumOf(heads.subarray(at + 8, at + headBytes), value), at + 4);
    parts.push(heads.subarray(at, at + headBytes), value);
    size += headBytes + value.length;
  }
  const { bytesWritten } = await file.writev(parts);
  if (bytesWritten !== size) throw new Error('the disk took only a part of the records');
  return size;
}

/** In the order in which they were written. */
export async function* readRecords(path: string): AsyncGenerator<LogRecord> {
  const bytes = (await readFile(path).catch(ignoreMissing)) ?? Buffer.alloc(0);
  for (let at = 0; at + headBytes <= bytes.length;) {
    const end = at + headBytes + bytes.readUInt32LE(at);
    if (end > bytes.length) return;
    const value = bytes.subarray(at + headBytes, end);
    if (bytes.readUInt32LE(at + 4) !== checksumOf(bytes.subarray(at + 8, at + headBytes), value)) return;
    yield { position: bytes.readDoubleLE(at + 8), value };
    at = end;
  }
}

const checksumOf = (position: Uint8Array, value: Uint8Array): number => crc32(value, crc32(position));

export interface RecordFile {
  readonly path: string;
  /** Position of its first record, which its name says. */
  readonly from: Position;
  readonly bytes: number;
}

export const recordFileName = (from: Position): string => `${from}.records`;

/** By position. */
export async function listRecordFiles(dir: string): Promise<RecordFile[]> {
  const files: RecordFile[] = [];
  for (const name of (await readdir(dir).catch(ignoreMissing)) ?? []) {
    const [, from] = /^(\d+)\.records$/.exec(name) ?? [];
    if (from === undefined) continue;
    const path = join(dir, name);
    files.push({ path, from: Number(from), bytes: (await stat(path).catch(ignoreMissing))?.size ?? 0 });
  }
  return files.sort((a, b) => a.from - b.from);
}

/** Written whole, in one go. */
export async function writeRecordFile(
  path: string,
  chunks: Iterable<readonly LogRecord[]>,
): Promise<{ records: number; bytes: number }> {
  const file = await open(path, 'wx', 0o600);
  try {
    let records = 0;
    let bytes = 0;
    for (const chunk of chunks) {
      bytes += await writeRecords(file, chunk);
      records += chunk.length;
    }
    await file.sync();
    return { records, bytes };
  } finally {
    await file.close();
  }
}
