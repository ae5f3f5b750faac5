/**
 * The text of the sources in chunks, compressed alone, so that a few lines cost one small read. A chunk holds lines of
 * one or of several sources. In bytes, before compression: number of pieces; per piece its source, its first line and its
 * length in bytes; then the pieces' texts, lines ended by \n.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BlockReader, BlockWriter, ByteSink, NumberList } from './bytes.ts';
import { withoutNul } from './strings.ts';

/** Of text, before compression. */
const chunkBytes = 8 * 1024;
/** UTF-16 code units; what is longer is no line that anybody reads. */
const longestLine = 4096;
const compressionLevel = 3;
/** Small sources share a chunk, but not without end. */
const chunkPieces = 512;
/** What a chunk may become: its last piece ends at the first line past `chunkBytes` units, and a unit is at most 3 bytes. */
const maxInflated = chunkBytes * 4 + longestLine * 3 + chunkPieces * 20;
/** Longer texts are left out. UTF-16 code units. */
export const longestSource = 64 * 1024 * 1024;

export class ContentsWriter {
  readonly sink = new ByteSink();
  readonly sources = new NumberList();
  readonly lines = new NumberList();
  readonly offsets = new NumberList();
  readonly #head = new BlockWriter();
  readonly #texts = new BlockWriter();
  readonly #encoder = new TextEncoder();
  #pieces = 0;

  /** Sources come by rising number. Lines end at \n, \r\n or \r. */
  add(source: number, content: string): void {
    if (content.length > longestSource) return;
    const text = content.includes('\r') ? content.replace(/\r\n?/g, '\n') : content;
    let line = 0;
    for (let at = 0; at <= text.length;) {
      const first = line;
      const room = chunkBytes - this.#texts.length;
      let end = at;
      let isLong = false;
      // At least one line, then as many as have room.
      do {
        const next = text.indexOf('\n', end);
        const stop = next < 0 ? text.length : next;
        isLong ||= stop - end > longestLine;
        end = stop + 1;
        line++;
      } while (end <= text.length && end - at < room);
      const piece = text.slice(at, end - 1);
      this.#addPiece(source, first, isLong ? shortened(piece) : piece);
      at = end;
    }
  }

  #addPiece(source: number, firstLine: number, text: string): void {
    const bytes = this.#encoder.encode(text);
    if (this.#pieces === 0) {
      this.sources.push(source);
      this.lines.push(firstLine);
    }
    this.#pieces++;
    this.#head.unsigned(source);
    this.#head.unsigned(firstLine);
    this.#head.unsigned(bytes.length);
    this.#texts.bytes(bytes);
    if (this.#texts.length >= chunkBytes || this.#pieces === chunkPieces) this.#flush();
  }

  #flush(): void {
    const count = new BlockWriter();
    count.unsigned(this.#pieces);
    const raw = Buffer.concat([count.take(), this.#head.take(), this.#texts.take()]);
    this.offsets.push(this.sink.length);
    this.sink.add(deflateRawSync(raw, { level: compressionLevel }));
    this.#pieces = 0;
  }

  end(): void {
    if (this.#pieces > 0) this.#flush();
  }
}

function shortened(piece: string): string {
  return piece
    .split('\n')
    .map((line) => (line.length > longestLine ? line.slice(0, longestLine) : line))
    .join('\n');
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface Chunk {
  readonly pieces: readonly {
    readonly source: number;
    readonly firstLine: number;
    readonly lines: readonly string[];
  }[];
  readonly weightBytes: number;
}

export function readChunk(bytes: Uint8Array): Chunk {
  const raw = inflateRawSync(bytes, { maxOutputLength: maxInflated });
  const reader = new BlockReader(raw);
  const heads = Array.from({ length: Math.min(reader.unsigned(), raw.length) }, () => ({
    source: reader.unsigned(),
    firstLine: reader.unsigned(),
    bytes: reader.unsigned(),
  }));
  let weightBytes = heads.length * 64;
  const pieces = heads.map(({ source, firstLine, bytes }) => {
    const text = withoutNul(decoder.decode(reader.bytes(bytes)));
    const lines = text.split('\n');
    // Of ASCII alone, a character takes one byte; else all take two.
    weightBytes += lines.length * 40 + text.length * (text.length === bytes ? 1 : 2);
    return { source, firstLine, lines };
  });
  return { pieces, weightBytes };
}
