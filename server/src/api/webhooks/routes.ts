/** Webhooks of organisations, and what was sent to them. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { webhookTexts } from '../../base/texts/webhooks.ts';
import { seenProjects, type Viewer } from '../../domains/projects/index.ts';
import * as webhooks from '../../domains/webhooks/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';

const rowId = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

export function webhookRoutes(api: Api): void {
  const { state, secretBox: box, webhooks: running, getUrl } = api.deps;

  const found = async ({ organizationId }: Viewer, id: string): Promise<webhooks.Webhook> => {
    const webhook = await webhooks.findWebhook(state, organizationId, rowId(id));
    if (!webhook) throw new CodedError('NOT_FOUND', [things.webhook(id)]);
    return webhook;
  };

  const projectIds = async (viewer: Viewer, named: readonly string[]): Promise<number[]> => {
    const all = await seenProjects(state, viewer);
    return [...new Set(named)].map((text) => {
      const project = all.find(({ id, slug }) => slug === text || String(id) === text);
      if (!project) throw new CodedError('NOT_FOUND', [things.project(text)]);
      return project.id;
    });
  };

  const shapes = async (viewer: Viewer, all: readonly webhooks.Webhook[]) => {
    const slugs = new Map((await seenProjects(state, viewer)).map(({ id, slug }) => [id, slug]));
    return all.map((webhook) => toShape(webhook, slugs));
  };

  const shape = async (viewer: Viewer, id: number): Promise<Shape> => {
    const [one] = await shapes(viewer, [await found(viewer, String(id))]);
    if (!one) throw new CodedError('NOT_FOUND', [things.webhook(id)]);
    return one;
  };

  implement(api, contract.listWebhooks, async ({ caller: { membership } }) =>
    shapes(membership, await webhooks.listWebhooks(state, membership.organizationId)),
  );

  implement(api, contract.createWebhook, async ({ caller: { membership }, body, recorded }) => {
    const fields = { ...body, projectIds: await projectIds(membership, body.projects) };
    const { id, secret } = await recorded(async (inside, note) => {
      const made = await webhooks.createWebhook(inside, box, membership.organizationId, fields);
      note({ id: made.id, name: body.name }, { after: tellable(fields) });
      return made;
    });
    running.wake();
    return { ...(await shape(membership, id)), secret };
  });

  implement(api, contract.updateWebhook, async ({ caller: { membership }, params, body, recorded }) => {
    const before = await found(membership, params.webhook);
    const fields = {
      name: body.name ?? before.name,
      url: body.url ?? before.url,
      events: body.events ?? before.events,
      projectIds: body.projects ? await projectIds(membership, body.projects) : before.projectIds,
      enabled: body.enabled ?? before.enabled,
    };
    await recorded(async (inside, note) => {
      await webhooks.changeWebhook(inside, before, fields);
      note({ id: before.id, name: fields.name }, { before: tellable(before), after: tellable(fields) });
    });
    running.wake();
    return shape(membership, before.id);
  });

  implement(api, contract.deleteWebhook, async ({ caller: { membership }, params, recorded }) => {
    const webhook = await found(membership, params.webhook);
    await recorded(async (inside, note) => {
      await webhooks.deleteWebhook(inside, webhook);
      note({ id: webhook.id, name: webhook.name }, { before: tellable(webhook) });
    });
  });

  implement(api, contract.rotateWebhookSecret, async ({ caller: { membership }, params, recorded }) => {
    const webhook = await found(membership, params.webhook);
    const secret = await recorded(async (inside, note) => {
      const made = await webhooks.rotateSecret(inside, box, webhook);
      note({ id: webhook.id, name: webhook.name });
      return made;
    });
    return { secret };
  });

  implement(api, contract.testWebhook, async ({ caller: { membership }, params }) => {
    const { attempt } = await running.test(await found(membership, params.webhook));
    return toAttempt(attempt);
  });

  implement(api, contract.listWebhookDeliveries, async ({ caller: { membership }, params, query, request, reply }) => {
    const { id } = await found(membership, params.webhook);
    const cursor = parseCursor(query.cursor);
    const rows = await webhooks.listWebhookDeliveries(state, {
      webhookId: id,
      state: query.state,
      offset: cursor?.offset ?? 0,
      limit: query.limit + 1,
    });
    const page = pageOf(rows, cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toDelivery);
  });

  implement(api, contract.replayWebhookDelivery, async ({ caller: { membership }, params }) => {
    const { id } = await found(membership, params.webhook);
    const wanted = rowId(params.delivery);
    const sent = await webhooks.replay(state, id, { id: wanted });
    const delivery = await webhooks.findWebhookDelivery(state, id, wanted);
    if (!delivery) throw new CodedError('NOT_FOUND', [things.delivery(params.delivery)]);
    if (!sent) throw new CodedError('INPUT_INVALID', [webhookTexts.notFinished]);
    running.wake();
    return toDelivery(delivery);
  });

  implement(api, contract.replayFailedWebhookDeliveries, async ({ caller: { membership }, params }) => {
    const { id } = await found(membership, params.webhook);
    const count = await webhooks.replay(state, id, 'failed');
    running.wake();
    return { count };
  });
}

type Shape = z.output<(typeof contract.updateWebhook)['response']>;

/** Tokens may stand in the address: that it changed is told, not to what. */
const tellable = ({ name, url, events, projectIds, enabled }: webhooks.WebhookFields) => ({
  name,
  url,
  enabled,
  events: [...events],
  projects: projectIds.map(String),
});

const toShape = (webhook: webhooks.Webhook, slugs: ReadonlyMap<number, string>): Shape => ({
  id: String(webhook.id),
  uuid: webhook.uuid,
  name: webhook.name,
  url: webhook.url,
  projects: webhook.projectIds.map((id) => ({ id: String(id), slug: slugs.get(id) ?? '' })),
  events: [...webhook.events],
  enabled: webhook.enabled,
  dateDisabled: isoOrNull(webhook.disabledAt),
  problem: webhook.problem,
  failingSince: isoOrNull(webhook.failingSince),
  lastSent: isoOrNull(webhook.lastSentAt),
  dropped: webhook.dropped,
  formerSecretUntil: webhook.formerUntil > Date.now() ? iso(webhook.formerUntil) : null,
  dateCreated: iso(webhook.createdAt),
});

const toAttempt = ({ at, status, durationMs, answer, why }: webhooks.Try) => ({
  date: iso(at),
  status,
  durationMs,
  answer,
  problem: why,
});

const toDelivery = (one: webhooks.WebhookDelivery): z.output<typeof contract.replayWebhookDelivery.response> => ({
  id: String(one.id),
  uuid: one.uuid,
  event: one.event,
  resource: one.resource,
  state: one.state,
  detail: one.detail,
  attempts: one.tries.map(toAttempt),
  body: one.body,
  dateCreated: iso(one.createdAt),
  dateDue: one.state === 'waiting' ? iso(one.dueAt) : null,
  dateFinished: isoOrNull(one.finishedAt),
});
