/** How many rows of spans an envelope item becomes; undefined for an item of another type. */
export function spansOf({
  type,
  payload,
}: {
  readonly type: string;
  readonly payload: Uint8Array;
}): number | undefined {
  if (type !== 'transaction' && type !== 'span') return undefined;
  const { spans, items } = JSON.parse(Buffer.from(payload).toString()) as { spans?: unknown[]; items?: unknown[] };
  // The segment of a transaction is a span, and so is a span that comes without a container.
  return type === 'transaction' ? 1 + (spans?.length ?? 0) : (items?.length ?? 1);
}
