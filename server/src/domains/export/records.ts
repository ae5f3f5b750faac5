/** Records as files have them. Pure. */
import { serializeEnvelope, type ItemToWrite } from '@culprit/envelope';

/** A line of JSON. */
export const jsonLine = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

/** An envelope, after a line with its length in bytes. */
export function envelopeRecord(header: Readonly<Record<string, unknown>>, item: ItemToWrite): Uint8Array {
  const envelope = serializeEnvelope(header, [item]);
  return Buffer.concat([Buffer.from(`${envelope.length}\n`), envelope]);
}

export const isoOf = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString();

/** What is no JSON stays the text that it is. */
export function jsonOf(text: string | null): unknown {
  if (text === null || text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
