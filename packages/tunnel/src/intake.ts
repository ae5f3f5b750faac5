/** Takes a body in, bounded in bytes and in what all of them hold together; refuses as early as it can tell. */
import { formatDsn, parseDsn } from '@culprit/envelope';
import { Refusal } from './answer.ts';
import type { Settings } from './options.ts';

/** A header of a message by its name in lower case. */
export type Header = (name: string) => string | null | undefined;

const newline = 0x0a;
const decoder = new TextDecoder();
/** The line with the DSN; SDKs write a few hundred bytes. */
const maxLineBytes = 64 * 1024;

/** Of all bodies in this process: memory is the process's, not a tunnel's. */
let heldBytes = 0;

export class Intake {
  readonly #settings: Settings;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;
  #target: URL | undefined;

  /** Throws `Refusal` when the headers are enough to tell. */
  constructor(method: string, header: Header, settings: Settings) {
    if (method !== 'POST') throw new Refusal(405, { allow: 'POST' });
    if (Number(header('content-length')) > settings.maxBodyBytes) throw new Refusal(413);
    // The DSN must be readable without unpacking what a stranger sends. SDKs for browsers do not compress.
    if (header('content-encoding')) throw new Refusal(415);
    this.#settings = settings;
  }

  /** Throws `Refusal`. */
  push(chunk: Uint8Array<ArrayBuffer>): void {
    const { maxBodyBytes, maxHeldBytes } = this.#settings;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    heldBytes += chunk.length;
    if (this.#size > maxBodyBytes) throw new Refusal(413);
    if (heldBytes > maxHeldBytes) throw new Refusal(503, { 'retry-after': '5' });
    // Strangers are shown the door when their first line is in, not after 20 MB.
    if (this.#target) return;
    if (chunk.includes(newline)) this.#target = targetOf(this.#joined(), this.#settings);
    else if (this.#size > maxLineBytes) throw new Refusal(400);
  }

  /** The whole body, and where it goes. Throws `Refusal`. */
  finish(): { readonly body: Uint8Array<ArrayBuffer>; readonly target: URL } {
    const body = this.#joined();
    return { body, target: this.#target ?? targetOf(body, this.#settings) };
  }

  /** The body is no longer held. */
  release(): void {
    heldBytes -= this.#size;
    this.#size = 0;
  }

  #joined(): Uint8Array<ArrayBuffer> {
    const [first] = this.#chunks;
    if (first && this.#chunks.length === 1) return first;
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

/** Where the DSN in the first line leads. */
function targetOf(start: Uint8Array<ArrayBuffer>, { targets }: Settings): URL {
  const end = start.indexOf(newline);
  if (end > maxLineBytes) throw new Refusal(400);
  let header: { dsn?: unknown } | null;
  try {
    header = JSON.parse(decoder.decode(end < 0 ? start : start.subarray(0, end)));
  } catch {
    throw new Refusal(400);
  }
  const text = header?.dsn;
  const dsn = targets.has(text) ? undefined : parseDsn(text);
  const target = targets.get(dsn ? formatDsn(dsn) : text);
  if (!target) throw new Refusal(403);
  return target;
}
