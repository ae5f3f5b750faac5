/** Webhooks that hosts of code and of sites send here, of which releases and deploys are made. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import * as incoming from '../../domains/incoming/index.ts';
import { seenProjects, type Viewer } from '../../domains/projects/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';

type Shape = z.output<(typeof contract.updateIncomingWebhook)['response']>;
type Mappings = z.output<(typeof contract.createIncomingWebhook)['body']>['mappings'];

const rowId = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

export function incomingRoutes(api: Api): void {
  const { state, secretBox: box, getUrl } = api.deps;

  const found = async ({ organizationId }: Viewer, id: string): Promise<incoming.IncomingWebhook> => {
    const webhook = await incoming.findIncoming(state, organizationId, rowId(id));
    if (!webhook) throw new CodedError('NOT_FOUND', [things.webhook(id)]);
    return webhook;
  };

  const read = async (viewer: Viewer, given: Mappings): Promise<incoming.IncomingMapping[]> => {
    const all = await seenProjects(state, viewer);
    const idOf = (text: string): number => {
      const project = all.find(({ id, slug }) => slug === text || String(id) === text);
      if (!project) throw new CodedError('NOT_FOUND', [things.project(text)]);
      return project.id;
    };
    return given.map(({ projects, ...rest }) => ({ ...rest, projectIds: [...new Set(projects.map(idOf))] }));
  };

  const shapes = async (viewer: Viewer, all: readonly incoming.IncomingWebhook[]): Promise<Shape[]> => {
    const slugs = new Map((await seenProjects(state, viewer)).map(({ id, slug }) => [id, slug]));
    return all.map((webhook) => toShape(webhook, slugs, getUrl()));
  };

  const shape = async (viewer: Viewer, id: number): Promise<Shape> => {
    const [one] = await shapes(viewer, [await found(viewer, String(id))]);
    if (!one) throw new CodedError('NOT_FOUND', [things.webhook(id)]);
    return one;
  };

  implement(api, contract.listIncomingWebhooks, async ({ caller: { membership } }) =>
    shapes(membership, await incoming.listIncoming(state, membership.organizationId)),
  );

  implement(api, contract.createIncomingWebhook, async ({ caller: { membership }, body, recorded }) => {
    const { provider, name, enabled } = body;
    const fields = { name, enabled, mappings: await read(membership, body.mappings) };
    const { id, secret } = await recorded(async (inside, note) => {
      const made = await incoming.createIncoming(inside, box, membership.organizationId, provider, fields);
      note({ id: made.id, name }, { after: { provider, ...tellable(fields) } });
      return made;
    });
    return { ...(await shape(membership, id)), secret };
  });

  implement(api, contract.updateIncomingWebhook, async ({ caller: { membership }, params, body, recorded }) => {
    const before = await found(membership, params.webhook);
    const fields = {
      name: body.name ?? before.name,
      enabled: body.enabled ?? before.enabled,
      mappings: body.mappings ? await read(membership, body.mappings) : before.mappings,
    };
    await recorded(async (inside, note) => {
      await incoming.changeIncoming(inside, before.id, fields);
      note({ id: before.id, name: fields.name }, { before: tellable(before), after: tellable(fields) });
    });
    return shape(membership, before.id);
  });

  implement(api, contract.deleteIncomingWebhook, async ({ caller: { membership }, params, recorded }) => {
    const webhook = await found(membership, params.webhook);
    await recorded(async (inside, note) => {
      await incoming.deleteIncoming(inside, webhook.id);
      note({ id: webhook.id, name: webhook.name });
    });
  });

  implement(api, contract.rotateIncomingWebhookSecret, async ({ caller: { membership }, params, body, recorded }) => {
    const webhook = await found(membership, params.webhook);
    const secret = await recorded(async (inside, note) => {
      const made = await incoming.rotateIncomingSecret(inside, box, webhook, body.secret);
      note({ id: webhook.id, name: webhook.name });
      return made;
    });
    return { secret };
  });

  implement(api, contract.listIncomingDeliveries, async ({ caller: { membership }, params, query, request, reply }) => {
    const { id } = await found(membership, params.webhook);
    const cursor = parseCursor(query.cursor);
    const offset = cursor?.offset ?? 0;
    const rows = await incoming.listIncomingDeliveries(state, { webhookId: id, offset, limit: query.limit + 1 });
    const page = pageOf(rows, cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toDelivery);
  });
}

const tellable = ({ name, enabled, mappings }: incoming.IncomingFields) => ({
  name,
  enabled,
  mappings: mappings.map(({ match, version, projectIds }) => `${match}: ${version} (${projectIds.join(', ')})`),
});

const toDelivery = (one: incoming.IncomingDelivery): NonNullable<Shape['last']> => ({
  id: String(one.id),
  delivery: one.delivery,
  event: one.event,
  result: one.result,
  detail: one.detail,
  dateReceived: iso(one.receivedAt),
});

const toShape = (webhook: incoming.IncomingWebhook, slugs: ReadonlyMap<number, string>, url: string): Shape => ({
  id: String(webhook.id),
  name: webhook.name,
  provider: webhook.provider,
  url: `${url}/hooks/${webhook.provider}/${webhook.address}`,
  mappings: webhook.mappings.map(({ match, version, environments, projectIds }) => ({
    match,
    version,
    environments: [...environments],
    // Those that were deleted are left out.
    projects: projectIds.flatMap((id) => {
      const slug = slugs.get(id);
      return slug === undefined ? [] : [{ id: String(id), slug }];
    }),
  })),
  enabled: webhook.enabled,
  hasSecret: webhook.hasSecret,
  formerSecretUntil: webhook.formerUntil > Date.now() ? iso(webhook.formerUntil) : null,
  last: webhook.last && toDelivery(webhook.last),
  refusal: webhook.refusal,
  dateRefused: isoOrNull(webhook.refusedAt),
  dateCreated: iso(webhook.createdAt),
});
