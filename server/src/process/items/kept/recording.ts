/** Recordings of replays: a line of JSON, then the events of the page, mostly compressed. */
import { deflateSync, inflateSync } from 'node:zlib';
import { decodeJson } from '../../steps/decode.ts';
import type { BagLimit } from '../../steps/limits.ts';
import { Remarks } from '../../steps/remarks.ts';
import {
  BagCleaner,
  hasOwnRules,
  scrubItemByOwnRules,
  scrubRules,
  type ScrubSettings,
} from '../../steps/scrub/index.ts';

/** The page is a tree, and each level of it is two of JSON. */
const maxDepth = 500;

/** In the form that it came in, without what the rules remove; undefined for what cannot be read. */
export function scrubbedRecording(
  payload: Uint8Array,
  settings: ScrubSettings,
  limit: BagLimit,
): Uint8Array | undefined {
  const end = payload.indexOf(0x0a);
  if (end < 0) return undefined;
  const bags = new BagCleaner(scrubRules(settings), new Remarks());
  const own = hasOwnRules(settings);
  const clean = (bytes: Uint8Array): string | undefined => {
    const decoded = decodeJson(bytes, limit.maxText);
    if (!decoded.ok) return undefined;
    const value = own ? scrubItemByOwnRules(decoded.value, settings, { isRecording: true }) : decoded.value;
    return JSON.stringify(bags.clean(value, { ...limit, maxDepth }));
  };
  const body = payload.subarray(end + 1);
  const isCompressed = body[0] === 0x78;
  const bytes = isCompressed ? inflated(body, limit.maxText) : body;
  const head = clean(payload.subarray(0, end));
  const events = bytes && clean(bytes);
  if (head === undefined || events === undefined) return undefined;
  return Buffer.concat([Buffer.from(`${head}\n`), isCompressed ? deflateSync(events) : Buffer.from(events)]);
}

function inflated(body: Uint8Array, maxOutputLength: number): Uint8Array | undefined {
  try {
    return inflateSync(body, { maxOutputLength });
  } catch {
    return undefined;
  }
}
