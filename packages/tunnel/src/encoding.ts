/**
 * The first line of a compressed body. SDKs for browsers do not compress, those for Node do when a body is large; the
 * body itself is handed on as it came.
 */
import { Refusal } from './answer.ts';

const formats = { identity: undefined, gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' } as const;

type Encoding = keyof typeof formats;

export function isReadable(encoding: string): encoding is Encoding {
  return Object.hasOwn(formats, encoding);
}

/** At least the first `count` bytes of what is inside, or all of it; not much more, however large it is. Throws `Refusal`. */
export async function firstBytes(
  body: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
  count: number,
): Promise<Uint8Array> {
  const format = formats[encoding];
  if (!format) return body;
  const reader = new Blob([body]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  const inside = new Uint8Array(count);
  let at = 0;
  try {
    while (at < count) {
      const { done, value } = await reader.read();
      if (done) break;
      inside.set(value.subarray(0, count - at), at);
      at += value.length;
      if (value.includes(0x0a)) break;
    }
  } catch {
    throw new Refusal(400);
  } finally {
    reader.cancel().catch(() => {});
  }
  return inside.subarray(0, Math.min(at, count));
}
