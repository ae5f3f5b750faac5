/** False positives, counted: recorded requests of all SDKs and languages are ordinary texts, and nothing in them is harmed. */
import { parseEnvelope, parseEventId } from '@culprit/envelope';
import { expect, test } from 'vitest';
import { listFixtures, listLanguageFixtures, readFixture, readLanguageFixture } from '../../../../fixtures/index.ts';
import { defaultProjectSettings, type ItemResult } from '../types.ts';
import { processItem } from './index.ts';
import { context } from './testing.ts';

const fixtures = [...listFixtures().map(readFixture), ...listLanguageFixtures().map(readLanguageFixture)].filter(
  ({ meta }) => meta.path.includes('/envelope/') || meta.path.includes('/store/'),
);

function stored(bytes: Uint8Array, isEnvelope: boolean, scrubs: boolean): ItemResult[] {
  const settings = { ...defaultProjectSettings, scrubData: scrubs };
  if (!isEnvelope)
    return [processItem({ type: 'event', header: { type: 'event' }, payload: bytes }, { ...context, settings })];
  const { header, items } = parseEnvelope(bytes);
  const sentAt = typeof header.sent_at === 'string' ? Date.parse(header.sent_at) : undefined;
  const receivedAt = sentAt === undefined ? context.receivedAt : sentAt + 50;
  const envelopeEventId = parseEventId(header.event_id);
  return items.map((item) => processItem(item, { ...context, settings, sentAt, receivedAt, envelopeEventId }));
}

/** Texts by their places; those of JSON are taken apart. */
function textsOf(value: unknown, place = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'string') {
    const inner = /^[[{]/.test(value) ? parsed(value) : undefined;
    if (inner === undefined) found.set(place, value);
    else textsOf(inner, place, found);
  } else if (Array.isArray(value) && place.endsWith('.payload')) {
    // A payload in pieces.
    textsOf(
      value.map((one: unknown) => (one instanceof Uint8Array ? Buffer.from(one).toString() : String(one))).join(''),
      place,
      found,
    );
  } else if (value instanceof Uint8Array) textsOf(Buffer.from(value).toString(), place, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) if (key !== '_meta') textsOf(one, `${place}.${key}`, found);
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What stands for something that was removed, and what is around it. */
const marks = /\[(?:Filtered|email|ip|user)\]/;

/** Secrets that the recorded programs hold on purpose, or what any list must take for one. */
const meant: readonly RegExp[] = [
  /hunter2|s3cret|sk_live_0123456789|4111 ?1111 ?1111 ?1111/,
  // Parameters and their values by themselves.
  /\btoken=(?:abc|x|zz+|%5BFiltered%5D)\b|^zz+$/,
  /^'?(?:pw|abc|Bearer abc)'?$|password=pw\b/,
  /^ *(?:password|secret_token|tokens) = ["[]/,
];

test('nothing is taken out of recorded requests that is no secret', () => {
  const harmed = new Map<string, string>();
  let texts = 0;
  for (const { name, meta, bytes } of fixtures) {
    const isEnvelope = meta.path.includes('/envelope/');
    const before = textsOf(stored(bytes, isEnvelope, false));
    for (const [place, after] of textsOf(stored(bytes, isEnvelope, true))) {
      texts++;
      const sent = before.get(place);
      if (!sent || sent === after || !marks.test(after) || marks.test(sent)) continue;
      if (!meant.some((one) => one.test(sent)))
        harmed.set(`${sent.slice(0, 160)} → ${after.slice(0, 160)}`, `${name} ${place}`);
    }
  }
  expect(texts).toBeGreaterThan(10_000);
  expect(Object.fromEntries(harmed)).toEqual({});
});
