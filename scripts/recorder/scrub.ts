/** Takes the recording machine out of what was sent: its paths, its name, its processor. */
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

/** Replaces in the texts of a protobuf message, whose lengths stay true. */
export function scrubProtobuf(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  const wanted = replacements.filter(({ from }) => from !== '' && Buffer.from(bytes).includes(from));
  if (wanted.length === 0) return bytes;
  return scrubMessage(bytes, wanted) ?? Buffer.from(scrubText(Buffer.from(bytes).toString(), wanted));
}

/** Nothing where the bytes are no message, so a text. */
function scrubMessage(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = varint(bytes, at);
    const kind = tag && tag.value & 7;
    if (!tag || tag.value < 8 || kind === undefined) return undefined;
    const [fixed, size] = [kind === 1 || kind === 5, kind === 1 ? 8 : 4];
    const value = fixed ? { value: size, end: tag.end } : varint(bytes, tag.end);
    if (!value || (kind !== 0 && kind !== 2 && !fixed)) return undefined;
    const end = kind === 0 ? value.end : value.end + value.value;
    if (end > bytes.length) return undefined;
    if (kind === 2) {
      const inner = scrubProtobuf(bytes.subarray(value.end, end), replacements);
      parts.push(bytes.subarray(at, tag.end), varintOf(inner.length), inner);
    } else parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function varint(bytes: Uint8Array, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let read = 0; read < 10; read++) {
    const byte = bytes[at + read];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * read);
    if (byte < 0x80) return { value, end: at + read + 1 };
  }
  return undefined;
}

function varintOf(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return Uint8Array.from([...bytes, left]);
}
