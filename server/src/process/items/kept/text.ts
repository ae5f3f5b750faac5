/**
 * The text of a payload without what the rules remove. What is small is scrubbed whole, JSON by its structure; what is
 * large is scrubbed piece by piece while it is written, so that no more than a piece of it is held twice.
 */
import { itemProblems } from '../../../base/texts/events.ts';
import { declaredKind } from './kinds.ts';
import { decodeJson } from '../../steps/decode.ts';
import type { BagLimit } from '../../steps/limits.ts';
import { Remarks } from '../../steps/remarks.ts';
import {
  BagCleaner,
  hasOwnRules,
  scrubItemByOwnRules,
  scrubRules,
  scrubText,
  scrubTextByOwnRules,
} from '../../steps/scrub/index.ts';
import type { ItemContext, Outcome } from '../../types.ts';
import type { ReceivedItem } from './index.ts';
import { maxJsonBytes, maxTextBytes } from './limits.ts';
import { pieceLength, type Scrub, scrubStream } from './scrub-stream.ts';
import { type TextEncoding, textEncoding } from './text-encoding.ts';

/** Scrubbing is what the walk is for here; the bounds are beyond what such a payload can hold. */
export const keptLimit: BagLimit = {
  maxSize: 4 * maxJsonBytes,
  maxDepth: 64,
  maxText: maxJsonBytes,
  maxEntries: maxJsonBytes,
};

/** A text in UTF-8; in bytes where it is in another encoding, which it keeps; in pieces where it is large. */
export type ScrubbedText = string | Uint8Array | Iterable<Uint8Array>;

/** Undefined for what is no text. */
export function scrubbedText(item: ReceivedItem, { settings }: ItemContext): ScrubbedText | undefined {
  const { payload } = item;
  if (payload.length === 0) return '';
  const rules = scrubRules(settings);
  const own = hasOwnRules(settings) ? ownScrubbing(item, settings) : undefined;
  if (isJsonStart(payload[0]) && payload.length <= maxJsonBytes) {
    const decoded = decodeJson(payload, maxJsonBytes);
    if (decoded.ok) {
      const before = item.type === 'attachment' ? JSON.stringify(decoded.value) : undefined;
      const sentValue = own ? own.json(decoded.value) : decoded.value;
      const after = JSON.stringify(new BagCleaner(rules, new Remarks()).clean(sentValue, keptLimit)) ?? '';
      if (before !== after) return after;
      // What nothing is found in stays as somebody wrote it. A name that comes twice has a value that is not parsed.
      const sent = decoder.decode(payload);
      return sent.includes('\0') || scrubText(sent, 'bag', rules) !== sent ? after : sent;
    }
  }
  const encoding = encodingOf(item);
  if (!encoding) return undefined;
  const scrub: Scrub = (text) => scrubText(own ? own.text(text) : text, 'message', rules);
  if (payload.length > maxTextBytes) return inPieces(payload, encoding, scrub);
  const text = scrub([...encoding.decode(payload, maxTextBytes)].join(''));
  // A row holds UTF-8, and no zeros.
  return encoding.name === 'utf-8' && !text.includes('\0') ? text : encoding.encode(text);
}

/** By the rules that members wrote, which come first; an attachment is known by the name of its file. */
function ownScrubbing({ type, header }: ReceivedItem, settings: ItemContext['settings']) {
  const fileName = type === 'attachment' ? (typeof header.filename === 'string' ? header.filename : '') : undefined;
  return {
    json: (value: unknown) => scrubItemByOwnRules(value, settings, { fileName }),
    text: (text: string) => scrubTextByOwnRules(text, settings, { fileName }),
  };
}

/** Why a text attachment is not stored; undefined for one that may be. */
export function refusedText(item: ReceivedItem, { settings }: ItemContext): Outcome | undefined {
  const { type, payload } = item;
  if (type !== 'attachment' || payload.length <= maxTextBytes || settings.largeTextAttachments) return undefined;
  if (!encodingOf(item)) return undefined;
  const megabytes = Math.round(payload.length / 100_000) / 10;
  return { kind: 'invalid', reason: 'too_large', detail: itemProblems.textTooLarge(megabytes) };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const marks = ['[Filtered]', '[email]', '[ip]', '[user]'] as const;

/** What stands for what was removed, and how often; undefined where the bytes are those that came. */
export function removedFrom(sent: Uint8Array, kept: string | Uint8Array): string | undefined {
  const bytes = typeof kept === 'string' ? Buffer.from(kept) : kept;
  if (bytes.length === sent.length && Buffer.compare(bytes, sent) === 0) return undefined;
  const [before, after] = [decoder.decode(sent), decoder.decode(bytes)];
  const found = marks.flatMap((mark) => {
    const count = after.split(mark).length - before.split(mark).length;
    return count > 0 ? [`${count} × ${mark}`] : [];
  });
  return itemProblems.removed(found);
}

function encodingOf({ header, payload }: ReceivedItem): TextEncoding | undefined {
  const said = (name: string): string => (typeof header[name] === 'string' ? header[name].toLowerCase() : '');
  const kind = declaredKind(said('filename'), said('content_type'));
  return textEncoding(payload, { isText: kind === 'text' || kind === 'json' });
}

/** Can be gone through more than once, as writing it may have to be tried again. */
function inPieces(payload: Uint8Array, encoding: TextEncoding, scrub: Scrub): Iterable<Uint8Array> {
  return {
    *[Symbol.iterator]() {
      for (const text of scrubStream(encoding.decode(payload, pieceLength), scrub)) yield encoding.encode(text);
    },
  };
}

/** `{`, `[`, white space: saves decoding what can be no JSON object. */
function isJsonStart(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
