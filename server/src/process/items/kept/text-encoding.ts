/**
 * Whether a payload is text, and in which encoding: not every log is UTF-8, and what passes for binary is not scrubbed.
 * Texts turn back into the very bytes that they came from.
 */
import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';

export interface TextEncoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  /** Pieces of the payload of about so many bytes. */
  decode(bytes: Uint8Array, pieceBytes: number): Iterable<string>;
  encode(text: string): Uint8Array;
}

const encodings = {
  utf8: of('utf-8', 'utf8'),
  le: of('utf-16le', 'utf16le'),
  be: of('utf-16be', 'utf16le', (bytes) => Buffer.from(bytes).swap16()),
  /** A character a byte: right for ASCII, and it loses nothing of any other encoding that keeps to that for ASCII. */
  bytes: of('latin1', 'latin1'),
} as const;

const windowBytes = 16 * 1024;

interface Said {
  /** By the name or type that the sender gives. */
  readonly isText: boolean;
}

/** Undefined for what is no text. */
export function textEncoding(bytes: Uint8Array, said: Said): TextEncoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0) return encodings.le;
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0) return encodings.be;
  if (isBinaryFormat(bytes)) return undefined;
  const windows = windowsOf(bytes);
  const wide = wideEncoding(bytes, windows);
  if (wide) return wide;
  if (!said.isText && !windows.every(looksLikeText)) return undefined;
  return isUtf8(bytes) ? encodings.utf8 : encodings.bytes;
}

function of(
  name: TextEncoding['name'],
  node: 'utf8' | 'utf16le' | 'latin1',
  swap: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): TextEncoding {
  return {
    name,
    *decode(bytes, pieceBytes) {
      const decoder = new StringDecoder(node);
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        yield decoder.write(Buffer.from(swap(bytes.subarray(start, start + pieceBytes))));
      }
      yield decoder.end();
    },
    encode: (text) => swap(Buffer.from(text, node)),
  };
}

/** Pictures, archives and memory dumps, some of which begin like text. */
const binaryStarts = [
  '\x89PNG',
  '\xff\xd8\xff',
  'GIF8',
  'RIFF',
  'PK\x03\x04',
  '\x1f\x8b',
  '\x28\xb5\x2f\xfd',
  'MDMP',
  '%PDF-',
  '\x7fELF',
];

function isBinaryFormat(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return binaryStarts.some((known) => start.startsWith(known));
}

/** Beginning, middle and end: a log may begin with a line of noise, an executable with a word. */
function windowsOf(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length <= 3 * windowBytes) return [bytes];
  // Even, so that both bytes of a wide character fall where they should.
  const middle = (bytes.length >> 2) * 2;
  const end = (bytes.length - windowBytes) & ~1;
  return [0, middle, end].map((start) => bytes.subarray(start, start + windowBytes));
}

/** Text in UTF-16 without a mark: of the languages that logs are written in, every second byte is zero. */
function wideEncoding(bytes: Uint8Array, windows: readonly Uint8Array[]): TextEncoding | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  const isWide = (zeroAt: 0 | 1): boolean =>
    windows.every((window) => {
      let zeros = 0;
      let letters = 0;
      for (let at = 0; at + 1 < window.length; at += 2) {
        if (window[at + zeroAt] === 0) zeros++;
        if (isTextByte(window[at + 1 - zeroAt])) letters++;
      }
      const characters = window.length >> 1;
      return zeros > characters * 0.9 && letters > characters * 0.9;
    });
  return isWide(1) ? encodings.le : isWide(0) ? encodings.be : undefined;
}

/** Some noise is in many logs: zeros after a crash, colours, a line cut in the middle of a letter. */
function looksLikeText(window: Uint8Array): boolean {
  let ascii = 0;
  let controls = 0;
  for (const byte of window) {
    if (isTextByte(byte)) ascii++;
    else if (byte < 0x20 || byte === 0x7f) controls++;
  }
  if (controls > window.length * 0.02) return false;
  return ascii > window.length / 2 || isUtf8(window) || isUtf8Inside(window);
}

/** ASCII that is printed, and white space and colours. */
function isTextByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b;
}

/** A window may cut a letter at both ends. */
function isUtf8Inside(window: Uint8Array): boolean {
  let start = 0;
  let end = window.length;
  while (start < 3 && ((window[start] ?? 0) & 0xc0) === 0x80) start++;
  for (let cut = 0; cut < 3 && end > start; cut++) if (((window[--end] ?? 0) & 0xc0) === 0xc0) break;
  return isUtf8(window.subarray(start, end));
}
