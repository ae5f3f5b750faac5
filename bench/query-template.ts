/**
 * The event of which the large stores are made: sent and processed like any other, so that its row and its payload are
 * what the program really stores. Words in it that stand for what differs are replaced while rows are made of it.
 */
import { createHttpClient } from './http-client.ts';
import { type Account, createApi, type Culprit } from './culprit.ts';
import { waitUntilStored } from './intake.ts';

/** Hex and letters only, so that nothing takes them for something to be scrubbed, cut or escaped. */
export const placeholders = {
  eventId: 'be'.repeat(16),
  traceId: 'ace0'.repeat(8),
  type: 'TypeofbenchError',
  value: 'valueofbench',
  user: 'userofbench',
  release: 'shop@0.0.1-releaseofbench',
  transaction: '/transactionofbench',
  tenant: 'tenantofbench',
  noise: 'noiseofbench',
} as const;

export type Placeholder = keyof typeof placeholders;

function templateEvent(nowMs: number): Record<string, unknown> {
  const { eventId, traceId, type, value, user, release, transaction, tenant, noise } = placeholders;
  const file = 'https://shop.example.com/assets/index-4f2c19aa.js';
  return {
    event_id: eventId,
    platform: 'javascript',
    level: 'error',
    timestamp: nowMs / 1000,
    environment: 'production',
    release,
    transaction,
    sdk: { name: 'sentry.javascript.react', version: '11.12.0' },
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'auto.browser.global_handlers.onerror', handled: false },
          stacktrace: {
            frames: [
              { filename: file, function: 'render', in_app: true, lineno: 3, colno: 2958 },
              { filename: file, function: 'onClick', in_app: true, lineno: 3, colno: 2023 },
            ],
          },
        },
      ],
    },
    breadcrumbs: [
      {
        timestamp: nowMs / 1000 - 2,
        category: 'fetch',
        type: 'http',
        data: { method: 'GET', url: `/api/${noise}`, status_code: 200 },
      },
    ],
    request: {
      url: `https://shop.example.com${transaction}`,
      headers: {
        'User-Agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      },
    },
    contexts: { trace: { trace_id: traceId, span_id: 'b67a87413aebde97' } },
    user: { id: user },
    tags: { tenant, plan: 'pro' },
  };
}

/** Sends the template and waits until it is stored. */
export async function storeTemplate(culprit: Culprit, account: Account): Promise<void> {
  const client = createHttpClient(culprit.url);
  const header = { event_id: placeholders.eventId, sent_at: new Date().toISOString() };
  const envelope = `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(templateEvent(Date.now()))}`;
  const { status, text } = await client.post(
    `/api/${account.projectId}/envelope/?sentry_version=7&sentry_key=${account.key}`,
    envelope,
  );
  client.close();
  if (status !== 200) throw new Error(`the template was answered with ${status}: ${text}`);
  const api = createApi(culprit, account);
  const { stored } = await waitUntilStored(api, 1);
  api.close();
  if (stored < 1) throw new Error('the template was accepted and never stored');
}
