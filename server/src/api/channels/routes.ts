/** Channels and what was delivered. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import * as notify from '../../domains/notify/index.ts';
import { sees, type Viewer } from '../../domains/projects/index.ts';
import { things } from '../../base/texts/things.ts';
import { channels as texts } from '../../base/texts/outbound.ts';
import { requests } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { iso, isoOrNull } from '../shared/read.ts';

const rowId = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

export function channelRoutes(api: Api): void {
  const { state, vault, getUrl } = api.deps;

  const channelOf = async (organizationId: string, id: string): Promise<notify.ListedChannel> => {
    const found = await notify.findChannel(state, organizationId, rowId(id));
    if (!found) throw new CodedError('NOT_FOUND', [things.channel(id)]);
    return found;
  };

  /** With secrets opened: what is sealed anew looks different each time. */
  const tellable = (channel: notify.ListedChannel) => ({
    ...channel,
    config: vault.openConfig(channel, channel.config).config,
  });

  const shown = (channel: notify.ListedChannel): ReturnType<typeof toChannel> =>
    toChannel(channel, vault.openConfig(channel, channel.config));

  const test = async (
    channel: Pick<notify.Channel, 'organizationId' | 'type' | 'name' | 'config'>,
  ): Promise<z.output<typeof TestResult>> => {
    const { notifier } = api.deps;
    if (!notifier) throw new CodedError('NOT_READY', [texts.notAvailable]);
    const { outcome, status, answer, why, durationMs } = await notifier.test(channel);
    return { state: outcome === 'retry' ? 'failed' : outcome, status, answer, detail: why, durationMs };
  };

  implement(api, contract.listChannels, async ({ caller: { membership } }) =>
    (await notify.listChannels(state, membership.organizationId)).map(shown),
  );

  implement(api, contract.createChannel, async ({ caller: { membership }, body, recorded }) => {
    const id = await recorded(async (inside, note) => {
      const made = await notify.createChannel({ state: inside, vault }, membership.organizationId, body, Date.now());
      note({ id: made, name: body.name }, { details: { type: body.type } });
      return made;
    });
    return shown(await channelOf(membership.organizationId, String(id)));
  });

  implement(api, contract.updateChannel, async ({ caller: { membership }, params, body, recorded }) => {
    const channel = await channelOf(membership.organizationId, params.id);
    const changed = await recorded(async (inside, note) => {
      await notify.changeChannel({ state: inside, vault }, channel, body, Date.now());
      const after = await notify.findChannel(inside, membership.organizationId, channel.id);
      const told = { before: tellable(channel), after: tellable(after ?? channel), details: { type: channel.type } };
      note({ id: channel.id, name: channel.name }, told);
      return after ?? channel;
    });
    return shown(changed);
  });

  implement(api, contract.deleteChannel, async ({ caller: { membership }, params, recorded }) => {
    const channel = await channelOf(membership.organizationId, params.id);
    await recorded(async (inside, note) => {
      await notify.removeChannel(inside, channel.id);
      note({ id: channel.id, name: channel.name }, { details: { type: channel.type } });
    });
  });

  implement(api, contract.testChannel, async ({ caller: { membership }, params }) => {
    const channel = await channelOf(membership.organizationId, params.id);
    const { config, lost } = vault.openConfig(channel, channel.config);
    if (lost.length > 0) throw new CodedError('INPUT_INVALID', [notify.lostSecret(lost)]);
    return test({ ...channel, config: withoutLeavers(config, channel) });
  });

  implement(api, contract.testUnsavedChannel, async ({ caller: { membership }, body: { type, config, id } }) => {
    const before = id === undefined ? undefined : await channelOf(membership.organizationId, id);
    if (before && before.type !== type)
      throw new CodedError('INPUT_INVALID', [requests.channelType(id ?? '', before.type)]);
    const checked = notify.checkConfig(type, config, before && vault.openConfig(before, before.config).config);
    const { organizationId } = membership;
    const wanted = before ? withoutLeavers(checked, before) : checked;
    return test({ organizationId, type, name: before?.name ?? type, config: wanted });
  });

  implement(api, contract.resubscribeToChannel, async ({ caller: { membership, identity }, params }) => {
    const { id } = await channelOf(membership.organizationId, params.id);
    await notify.resubscribe(state, id, identity.user.email);
    return shown(await channelOf(membership.organizationId, params.id));
  });

  implement(api, contract.listDeliveries, async ({ caller: { membership, identity }, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const rows = await notify.listDeliveries(state, {
      organizationId: membership.organizationId,
      channelId: query.channel === undefined ? undefined : rowId(query.channel),
      state: query.state,
      offset: cursor?.offset ?? 0,
      limit: query.limit + 1,
    });
    const page = pageOf(rows, cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.filter((row) => isSeen(row, membership, identity.userId)).map((row) => toDelivery(row, getUrl()));
  });

  implement(api, contract.resendDelivery, async ({ caller: { membership }, params }) => {
    const id = await notify.resendDelivery(state, membership.organizationId, rowId(params.id));
    api.deps.notifier?.wake();
    return { id: String(id) };
  });
}

/** Who sees some projects only reads what was said of those, and what was said to them. */
const isSeen = ({ notification, user }: notify.LoggedDelivery, viewer: Viewer, userId: string): boolean =>
  viewer.within === undefined || (notification.project ? sees(viewer, notification.project.id) : user?.id === userId);

/** A test is no reason to write to who wants no mail. */
function withoutLeavers(
  config: notify.Channel['config'],
  { unsubscribed }: Pick<notify.ListedChannel, 'unsubscribed'>,
): notify.Channel['config'] {
  if (unsubscribed.length === 0) return config;
  const left = new Set(unsubscribed.map(({ address }) => address));
  const to = [config['to'] ?? []].flat().filter((address) => !left.has(address.toLowerCase()));
  if (to.length === 0) throw new CodedError('INPUT_INVALID', [texts.allUnsubscribed]);
  return { ...config, to };
}

const { response: TestResult } = contract.testChannel;

function toChannel(
  channel: notify.ListedChannel,
  { config, lost }: notify.OpenedConfig,
): z.output<typeof contract.Channel> {
  const { id, type, name, enabled, quietHours, health, problem, failingSince, lastSentAt, createdAt } = channel;
  return {
    id: String(id),
    type,
    name,
    enabled,
    config: notify.maskConfig(type, config),
    quietHours: quietHours && { ...quietHours, days: [...quietHours.days] },
    health: lost.length > 0 ? 'broken' : health,
    problem: lost.length > 0 ? notify.lostSecret(lost) : problem,
    failingSince: isoOrNull(failingSince),
    lastSent: isoOrNull(lastSentAt),
    unsubscribed: channel.unsubscribed.map(({ address, at }) => ({ address, at: iso(at) })),
    dateCreated: iso(createdAt),
  };
}

function toDelivery(delivery: notify.LoggedDelivery, consoleUrl: string): z.output<typeof contract.Delivery> {
  const { id, channel, user, email, notification, state, detail, attempts, mergedInto, createdAt, dueAt, finishedAt } =
    delivery;
  return {
    id: String(id),
    channel: channel && { ...channel, id: String(channel.id) },
    user,
    email,
    kind: notification.kind,
    severity: notification.severity,
    title: notification.title,
    // These links are sealed, so the log shows where it is about instead.
    url:
      notification.kind === 'invitation' || notification.kind === 'account'
        ? `${consoleUrl}/settings/members`
        : notification.url,
    state,
    detail,
    attempts: attempts.map(({ at, outcome, status, answer, durationMs }) => ({
      at: iso(at),
      outcome,
      status,
      answer,
      durationMs,
    })),
    mergedInto: mergedInto === null ? null : String(mergedInto),
    dateCreated: iso(createdAt),
    due: iso(dueAt),
    finished: isoOrNull(finishedAt),
  };
}
