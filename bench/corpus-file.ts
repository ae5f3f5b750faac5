/**
 * A corpus on disk, so that making events costs nothing while they are sent, and any number of them needs little memory.
 *
 * Layout, repeated: u32le length of the body, 32 characters of event id, body.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { CorpusEnvelope } from './corpus.ts';

export interface CorpusSummary {
  /** Mean bytes of an envelope before compression, and as it is sent. */
  readonly meanBytes: number;
  readonly meanSentBytes: number;
}

export interface StoredEnvelope {
  readonly eventId: string;
  /** A view on a larger buffer, which stays as it is. */
  readonly body: Buffer;
}

const headBytes = 4 + 32;
const bufferBytes = 4 * 2 ** 20;

export function writeCorpusFile(path: string, envelopes: Iterable<CorpusEnvelope>): CorpusSummary {
  const file = openSync(path, 'w');
  let count = 0;
  let plainBytes = 0;
  let sentBytes = 0;
  try {
    for (const { eventId, body, sizeBytes } of envelopes) {
      const head = Buffer.alloc(headBytes);
      head.writeUInt32LE(body.length, 0);
      head.write(eventId, 4, 'latin1');
      writeSync(file, Buffer.concat([head, body]));
      count += 1;
      plainBytes += sizeBytes;
      sentBytes += body.length;
    }
  } finally {
    closeSync(file);
  }
  return { meanBytes: plainBytes / count, meanSentBytes: sentBytes / count };
}

/** Reads envelopes in order; the file is closed when the iteration ends. */
export function* readCorpusFile(path: string): Generator<StoredEnvelope> {
  const file = openSync(path, 'r');
  try {
    // Each piece is a buffer of its own, as sockets may still hold views on the one before.
    let buffer = Buffer.alloc(0);
    for (;;) {
      let offset = 0;
      while (buffer.length - offset >= headBytes) {
        const end = offset + headBytes + buffer.readUInt32LE(offset);
        if (end > buffer.length) break;
        yield {
          eventId: buffer.toString('latin1', offset + 4, offset + headBytes),
          body: buffer.subarray(offset + headBytes, end),
        };
        offset = end;
      }
      const rest = buffer.subarray(offset);
      const next = Buffer.alloc(rest.length + bufferBytes);
      rest.copy(next);
      const read = readSync(file, next, rest.length, bufferBytes, null);
      if (read === 0) return;
      buffer = next.subarray(0, rest.length + read);
    }
  } finally {
    closeSync(file);
  }
}
