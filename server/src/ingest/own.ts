/** Takes what the program reports of itself: no request, and so nobody to answer, but the same checks and outcomes. */
import { CodedError } from '../base/errors.ts';
import { receivedParts } from '../ports/queue/received.ts';
import type { Ingest } from './exchange.ts';
import { judge } from './judge.ts';
import { scanBody } from './scan-body.ts';
import { createScan } from './scan.ts';

/** Resolves when the envelope is on disk, or the key's limit stopped it. Throws KEY_*, LOG_FULL. */
export async function takeOwn(ingest: Ingest, publicKey: string, envelope: Uint8Array): Promise<void> {
  const key = await ingest.keys.lookup(publicKey);
  if (!key) throw new CodedError('KEY_UNKNOWN');
  if (!key.isActive) throw new CodedError('KEY_DISABLED');
  const scan = createScan();
  await scanBody(Buffer.from(envelope), '', scan, {
    maxEnvelopeBytes: ingest.config.maxEnvelopeBytes,
    inflating: ingest.inflating,
  });
  const nowMs = Date.now();
  const { kept, limited } = judge(scan.items, key, ingest.limiter, nowMs);
  for (const { type, quantity } of limited)
    ingest.outcomes.count(key, type.category, 'rate_limited', 'key_quota', quantity);
  if (kept.length === 0) return;
  const { projectId, keyId } = key;
  await ingest.log.append(
    ...receivedParts({ kind: 'envelope', projectId, keyId, receivedAt: nowMs, encoding: '' }, envelope),
  );
}
