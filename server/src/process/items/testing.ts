/** For tests only: items and contexts as the pipeline gives them. */
import { defaultProjectSettings, type ItemContext, type ItemResult } from '../types.ts';
import { processItem } from './index.ts';

export const receivedAt = Date.UTC(2026, 10, 21, 3, 0, 10);

export const context: ItemContext = {
  projectId: 1,
  settings: defaultProjectSettings,
  receivedAt,
  sentAt: receivedAt - 1000,
  remoteAddress: '203.0.113.9',
};

const encoder = new TextEncoder();

/** Runs one item; a payload that is no text or bytes is sent as JSON. */
export function run(
  type: string,
  payload: unknown,
  overrides: Partial<ItemContext> = {},
  header: Record<string, unknown> = {},
): ItemResult {
  const bytes =
    payload instanceof Uint8Array
      ? payload
      : encoder.encode(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return processItem({ type, header: { type, ...header }, payload: bytes }, { ...context, ...overrides });
}

/** `kind`, `kind:reason` and quantities of a result. */
export function outcomesOf({ outcomes }: ItemResult): [category: string, outcome: string, quantity: number][] {
  return outcomes.map(({ category, outcome, quantity }) => [
    category,
    outcome.kind === 'accepted' ? 'accepted' : `${outcome.kind}:${outcome.reason}`,
    quantity,
  ]);
}

/** Of what is kept, in pieces or not. */
export function bytesOf(blob: Uint8Array | Iterable<Uint8Array> | undefined): Buffer {
  return blob instanceof Uint8Array ? Buffer.from(blob) : Buffer.concat([...(blob ?? [])]);
}

export const textOf = (blob: Uint8Array | Iterable<Uint8Array> | undefined): string => bytesOf(blob).toString();
