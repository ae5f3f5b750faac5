/** Takes the recording machine out of an envelope: its paths, its name, its processor. */
import { parseEnvelope } from '@culprit/envelope';

export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** Payloads that are not text, or that hold what the scenario itself wrote. */
const untouched = new Set(['attachment', 'replay_recording', 'replay_video']);

/** Replaces in headers and text payloads. An item keeps the form of its length, implicit or explicit. */
export function scrubEnvelope(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  const { header, items } = parseEnvelope(bytes);
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [encoder.encode(scrubText(JSON.stringify(header), replacements))];
  for (const item of items) {
    const payload = untouched.has(item.type)
      ? item.payload
      : encoder.encode(scrubText(new TextDecoder().decode(item.payload), replacements));
    const itemHeader = item.header.length === undefined ? item.header : { ...item.header, length: payload.length };
    parts.push(encoder.encode(scrubText(JSON.stringify(itemHeader), replacements)), payload);
  }
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [encoder.encode('\n'), part])));
}

export function scrubText(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce(
    (scrubbed, { from, to }) => (from === '' ? scrubbed : scrubbed.replaceAll(from, to)),
    text,
  );
}
