/** How long data is kept, holds, webhooks with their deliveries, and a request to erase, from search to certificate. */
import { idOf } from '../data-dir/traffic.ts';
import type { Made } from './makes.ts';
import type { Recorder } from './recorder.ts';

interface Surroundings {
  /** Of a server that takes all that is sent to it. */
  readonly receiver: string;
  readonly until: (what: string, test: () => Promise<boolean>) => Promise<unknown>;
}

export async function keepSendAndErase(
  recorder: Recorder,
  made: Made,
  { receiver, until }: Surroundings,
): Promise<void> {
  const call = recorder.call.bind(recorder);
  const classes = [{ name: 'logs', days: 30, limitBytes: 10 * 1024 ** 3 }];
  const policies = [{ name: 'Short-lived', days: 14 }];
  await call('previewRetention', { body: { classes, policies } });
  await call('updateRetention', { body: { classes, policies } });
  const chosen = { body: { classes: [{ name: 'logs', policy: 'Short-lived' }] } };
  await call('previewProjectRetention', chosen);
  await call('updateProjectRetention', chosen);
  await call('getProjectRetention');

  await call('setProjectHold', { body: { reason: 'Case 4711: keep all that customers reported.' } });
  for (const id of ['getProjectHold', 'listProjectHolds', 'deleteProjectHold']) await call(id);

  const events = ['issue.created', 'issue.resolved', 'release.created'];
  const { id: webhook } = await call('createWebhook', { body: { name: 'Shop desk', url: `${receiver}/desk`, events } });
  const ofWebhook = { params: { webhook } };
  await call('updateWebhook', { ...ofWebhook, body: { events: [...events, 'comment.created'] } });
  await call('rotateWebhookSecret', ofWebhook);
  await call('testWebhook', ofWebhook);
  await call('updateIssue', { params: { issue: made['ImageError'] }, body: { status: 'resolved' } });
  let delivery = '';
  await until('a delivery', async () => {
    const deliveries = await call<readonly { id: string; state: string }[] | object>(
      'listWebhookDeliveries',
      ofWebhook,
    );
    delivery = (Array.isArray(deliveries) ? deliveries : []).find(({ state }) => state === 'sent')?.id ?? '';
    return delivery !== '';
  });
  const ofDelivery = { params: { webhook, delivery } };
  for (const id of ['replayWebhookDelivery', 'replayFailedWebhookDeliveries']) await call(id, ofDelivery);
  await call('deleteWebhook', ofWebhook);

  const mapping = { match: 'acme/shop', projects: ['web'], version: 'web@{version}', environments: ['production'] };
  const shop = { name: 'Shop', provider: 'github', mappings: [mapping] };
  const { id: incoming } = await call('createIncomingWebhook', { body: shop });
  const ofIncoming = { params: { webhook: incoming } };
  await call('updateIncomingWebhook', { ...ofIncoming, body: { mappings: [{ ...mapping, version: '{commit}' }] } });
  await call('rotateIncomingWebhookSecret', { ...ofIncoming, body: {} });
  await call('listIncomingWebhooks');
  await call('listIncomingDeliveries', ofIncoming);
  await call('deleteIncomingWebhook', ofIncoming);

  const event = { project: 'web', id: idOf('stock 1') };
  const other = await call('startErasure', { body: { event, reference: 'PRIV-11' } });
  await call('cancelErasure', { params: { erasure: other.id } });
  const { id: erasure } = await call('startErasure', { body: { event, reference: 'PRIV-12' } });
  const ofErasure = { params: { erasure } };
  const reached = (status: string): Promise<unknown> =>
    until(`the request is ${status}`, async () => (await call('getErasure', ofErasure)).status === status);
  await reached('found');
  await call('exportErasure', ofErasure);
  await reached('found');
  await call('getErasureFile', ofErasure);
  await call('confirmErasure', { ...ofErasure, body: { confirm: event.id } });
  await reached('done');
  await call('getErasureCertificate', ofErasure);
}
