/** Quotas of organisations, projects and keys. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { quotaCategories, quotaTarget, quotaTermAt } from '../../base/quotas.ts';
import { quotaTexts } from '../../base/texts/quotas.ts';
import { things } from '../../base/texts/things.ts';
import type { Target } from '../../domains/audit/index.ts';
import { existingChannels } from '../../domains/notify/index.ts';
import { getKey, listKeys, type Project, seenProject, seenProjects } from '../../domains/projects/index.ts';
import * as quotas from '../../domains/quotas/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';
import * as contract from './contract.ts';

type Shape = z.output<(typeof contract.createQuota)['response']>;

export function quotaRoutes(api: Api): void {
  const { state, live, getUrl } = api.deps;

  /** With what was used of each. Those of projects that are not there are left out. */
  async function toShapes(
    all: readonly quotas.Quota[],
    projects: readonly Project[],
    timeZone: string,
  ): Promise<Shape[]> {
    const byId = new Map(projects.map((project) => [project.id, project]));
    const seen = all.filter(({ projectId }) => projectId === null || byId.has(projectId));
    const labels = new Map<number, string>();
    for (const id of new Set(seen.flatMap(({ keyId, projectId }) => (keyId === null ? [] : (projectId ?? []))))) {
      for (const key of await listKeys(state, id)) labels.set(key.id, key.label);
    }
    const found = await quotas.usedOf(state, seen, { timeZone, nowMs: Date.now() });
    return found.map(({ quota, term, used }) => {
      const project = quota.projectId === null ? undefined : byId.get(quota.projectId);
      return {
        id: String(quota.id),
        scope: quota.scope,
        project: project ? { id: String(project.id), slug: project.slug, name: project.name } : null,
        key: quota.keyId === null ? null : { id: String(quota.keyId), label: labels.get(quota.keyId) ?? '' },
        category: quota.category,
        period: quota.period,
        amount: quota.amount,
        hard: quota.isHard,
        used,
        start: iso(term.startMs),
        end: iso(term.endMs),
        dateCreated: iso(quota.createdAt),
      };
    });
  }

  async function toShape(quota: quotas.Quota, project: Project | undefined): Promise<Shape> {
    const { timeZone } = await quotas.quotaSettings(state, quota.organizationId);
    const [shape] = await toShapes([quota], project ? [project] : [], timeZone);
    if (!shape) throw new CodedError('NOT_FOUND', [things.quota(quota.id)]);
    return shape;
  }

  implement(api, contract.listQuotas, async ({ caller: { membership } }) => {
    const { organizationId, within } = membership;
    const { timeZone, channelIds } = await quotas.quotaSettings(state, organizationId);
    const projects = await seenProjects(state, membership);
    const month = quotaTermAt('month', Date.now(), timeZone);
    const targets = within
      ? projects.map(({ id }) => quotaTarget('project', id))
      : [quotaTarget('organization', organizationId)];
    const used = await quotas.usedInMonth(state, targets, month);
    return {
      timeZone,
      channelIds: channelIds.map(String),
      month: { start: iso(month.startMs), end: iso(month.endMs) },
      used: quotaCategories.map((category) => ({ category, used: used[category] ?? 0 })),
      quotas: await toShapes(await quotas.listQuotas(state, organizationId), projects, timeZone),
    };
  });

  implement(api, contract.createQuota, async ({ caller: { membership }, body, recorded }) => {
    const { organizationId } = membership;
    const { project: named, key: namedKey, category, period, amount, hard } = body;
    if (named === undefined && namedKey !== undefined) throw new CodedError('INPUT_INVALID', [quotaTexts.keyOfNone]);
    const project = named === undefined ? undefined : await seenProject(state, membership, named);
    if (named !== undefined && !project) throw new CodedError('NOT_FOUND', [things.project(named)]);
    const key = project && namedKey !== undefined ? await getKey(state, project.id, namedKey) : undefined;
    if (namedKey !== undefined && !key) throw new CodedError('NOT_FOUND', [things.projectKey(namedKey)]);
    const made = await recorded(async (inside, note) => {
      const quota = await quotas.createQuota(inside, organizationId, {
        projectId: project?.id ?? null,
        keyId: key?.id ?? null,
        category,
        period,
        amount,
        isHard: hard,
      });
      note(targetOf(quota, project), { after: tellable(quota) });
      return quota;
    });
    live.publish({ type: 'settings' });
    return toShape(made, project);
  });

  async function found(membership: Parameters<typeof seenProjects>[1], text: string) {
    const quota = /^\d{1,9}$/.test(text)
      ? await quotas.findQuota(state, membership.organizationId, Number(text))
      : undefined;
    const project =
      quota && quota.projectId !== null ? await seenProject(state, membership, String(quota.projectId)) : undefined;
    if (!quota || (quota.projectId !== null && !project)) throw new CodedError('NOT_FOUND', [things.quota(text)]);
    return { quota, project };
  }

  implement(api, contract.updateQuota, async ({ caller: { membership }, params, body, recorded }) => {
    const { quota, project } = await found(membership, params.quota);
    const changed = await recorded(async (inside, note) => {
      const after = await quotas.changeQuota(inside, quota, { amount: body.amount, isHard: body.hard });
      if (!after) throw new CodedError('NOT_FOUND', [things.quota(params.quota)]);
      note(targetOf(quota, project), { before: tellable(quota), after: tellable(after) });
      return after;
    });
    live.publish({ type: 'settings' });
    return toShape(changed, project);
  });

  implement(api, contract.deleteQuota, async ({ caller: { membership }, params, recorded }) => {
    const { quota, project } = await found(membership, params.quota);
    await recorded(async (inside, note) => {
      await quotas.endQuotaIncident(inside.db, quota, getUrl());
      await quotas.deleteQuota(inside, quota.organizationId, quota.id);
      note(targetOf(quota, project), { before: tellable(quota) });
    });
    live.publish({ type: 'settings' });
  });

  implement(api, contract.updateQuotaSettings, async ({ caller: { membership }, body, recorded }) => {
    const { organizationId: id, slug } = membership;
    const ids = body.channelIds?.map(Number);
    const there = ids && (await existingChannels(state.db, id, ids.filter(Number.isSafeInteger)));
    const missing = body.channelIds?.find((text) => !there?.includes(Number(text)));
    if (missing !== undefined) throw new CodedError('NOT_FOUND', [things.channel(missing)]);
    const changed = await recorded(async (inside, note) => {
      const before = await quotas.quotaSettings(inside, id);
      await quotas.changeQuotaSettings(inside, id, { timeZone: body.timeZone, channelIds: there });
      const after = await quotas.quotaSettings(inside, id);
      note({ id, name: slug }, { before: told(before), after: told(after) });
      return after;
    });
    live.publish({ type: 'settings' });
    return { timeZone: changed.timeZone, channelIds: changed.channelIds.map(String) };
  });
}

const told = ({ timeZone, channelIds }: quotas.QuotaSettings) => ({ timeZone, quotaChannelIds: channelIds });

const tellable = ({ amount, isHard }: quotas.Quota) => ({ amount, hard: isHard });

/** `errors per month` */
const targetOf = ({ id, category, period }: quotas.Quota, project: Project | undefined): Target => ({
  id,
  name: quotaTexts.named(category, period),
  ...(project && { project: project.slug }),
});
