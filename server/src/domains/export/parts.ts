/**
 * The files of an export. Each is a part of bounded size, made whole in memory, compressed, and then written at once: under
 * another name first where it is a file, as an entry of a tar where it is a stream. So a file that is there is whole, and
 * an export that has its manifest is.
 */
import { hash } from 'node:crypto';
import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import { CodedError } from '../../base/errors.ts';
import { exports as texts } from '../../base/texts/export.ts';
import { tarEnd, tarEntry } from './tar.ts';

export type Compression = 'gzip' | 'zstd' | undefined;

/** Where whole files go. */
export interface Place {
  write(name: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface PartFacts {
  readonly name: string;
  readonly records: number;
  /** As the file has them: compressed. */
  readonly bytes: number;
  /** Of the file, hex. */
  readonly sha256: string;
}

/** Makes the directory; throws EXPORT_PLACE where something is in it already. */
export async function openDirectory(dir: string): Promise<Place> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await readdir(dir)).length > 0) throw new CodedError('EXPORT_PLACE', [dir, texts.notEmpty]);
  return {
    async write(name, bytes) {
      const path = join(dir, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const unfinished = `${path}.part`;
      {
        await using file = await open(unfinished, 'wx', 0o600);
        await file.writeFile(bytes);
        await file.datasync();
      }
      await rename(unfinished, path);
    },
    close: async () => {},
  };
}

/** A tar; `write` resolves when the stream wants more. */
export function openTar(write: (bytes: Uint8Array) => Promise<void>, nowMs: number): Place {
  return {
    async write(name, bytes) {
      for (const piece of tarEntry(name, bytes, nowMs)) await write(piece);
    },
    close: () => write(tarEnd),
  };
}

const compressors = { gzip: promisify(gzip), zstd: promisify(zstdCompress) };
const suffixes = { gzip: '.gz', zstd: '.zst' };

export async function writeWhole(place: Place, name: string, bytes: Uint8Array): Promise<Omit<PartFacts, 'records'>> {
  await place.write(name, bytes);
  return { name, bytes: bytes.length, sha256: hash('sha256', bytes) };
}

/** Before it is compressed. */
const partBytes = 16 * 2 ** 20;

/** Records of one kind, in as many files as they need: `name-00001.jsonl`. */
export class Parts {
  readonly files: PartFacts[] = [];
  records = 0;
  readonly #place: Place;
  readonly #name: string;
  readonly #extension: string;
  readonly #compression: Compression;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #held = 0;

  constructor(place: Place, compression: Compression, name: string, extension: 'jsonl' | 'envelopes') {
    this.#place = place;
    this.#compression = compression;
    this.#name = name;
    this.#extension = extension;
  }

  async add(record: Uint8Array): Promise<void> {
    if (this.#held > 0 && this.#bytes + record.length > partBytes) await this.end();
    this.#pieces.push(record);
    this.#bytes += record.length;
    this.#held += 1;
    this.records += 1;
  }

  /** What is held goes to a file. */
  async end(): Promise<void> {
    if (this.#held === 0) return;
    const whole = Buffer.concat(this.#pieces.splice(0));
    const bytes = this.#compression ? await compressors[this.#compression](whole) : whole;
    const number = String(this.files.length + 1).padStart(5, '0');
    const suffix = this.#compression ? suffixes[this.#compression] : '';
    const name = `${this.#name}-${number}.${this.#extension}${suffix}`;
    this.files.push({ ...(await writeWhole(this.#place, name, bytes)), records: this.#held });
    this.#bytes = 0;
    this.#held = 0;
  }
}
