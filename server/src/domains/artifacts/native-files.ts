/** Files of native code, which are refused: by how they begin, before they are put together. */
import type { Blobs } from '../../ports/blobs/blobs.ts';
import { chunkKey } from './keys.ts';

const nativeHeads = [
  '7f454c46',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe',
  '4d5a',
  '0061736d',
  '42534a42',
];
const nativeTexts = ['Microsoft C/C++', 'MODULE ', 'BCSymbolMap', '<?xml'];

export function isNative(head: Buffer): boolean {
  const start = head.toString('hex', 0, 8);
  const text = head.toString('latin1', 0, 32);
  return nativeHeads.some((one) => start.startsWith(one)) || nativeTexts.some((one) => text.startsWith(one));
}

/** Whether the file of these chunks is one, as far as its first chunk is there. */
export async function startsNative(blobs: Blobs, organizationId: string, chunks: readonly string[]): Promise<boolean> {
  const [first] = chunks;
  const head = first && (await blobs.range(chunkKey(organizationId, first.toLowerCase()), 0, 64));
  return head ? isNative(Buffer.from(head)) : false;
}
