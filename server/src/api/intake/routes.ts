/** Outcomes, kept items, and the stream of what just changed. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { accountsOf, countOutcomes, findItem, type KeptItem, listItems } from '../../domains/outcomes/index.ts';
import { keyLabels, seenProjects } from '../../domains/projects/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { lastPeriod, parseTimeRange } from '../../base/time-range.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { createLiveStreams } from './live-stream.ts';
import { projectStatsRange, statsRange, toDropped, toProjectStats, toStats, toSummary } from './stats.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { iso, object } from '../shared/read.ts';

type OutcomeKind = z.output<typeof contract.getOutcomes.response>['groups'][number]['outcome'];

const maxBuckets = 300;
const maxPayloadBytes = 1024 * 1024;

export function intakeRoutes(api: Api): void {
  const { state, events, blobs, getUrl } = api.deps;

  implement(api, contract.getOutcomes, async ({ caller, query }) => {
    const projects = await chooseProjects(state, caller.membership, query.project);
    const nowMs = Date.now();
    const asked = parseTimeRange(query, nowMs, maxBuckets) ?? lastPeriod('24h', nowMs, maxBuckets);
    const { range, groups } = await countOutcomes(
      events,
      projects.map((project) => project.id),
      asked,
    );
    const slugs = new Map(projects.map((project) => [project.id, project.slug]));
    return {
      start: iso(range.startMs),
      end: iso(range.endMs),
      intervalSeconds: range.bucketMs / 1000,
      intervals: Array.from({ length: range.buckets }, (_, index) => iso(range.startMs + index * range.bucketMs)),
      groups: groups.map(({ projectId, outcome, series, ...group }) => ({
        ...group,
        outcome: outcome as OutcomeKind,
        series: [...series],
        projectId: String(projectId),
        projectSlug: slugs.get(projectId) ?? '',
      })),
    };
  });

  implement(api, contract.getAccounts, async ({ caller, query }) => {
    const projects = await chooseProjects(state, caller.membership, query.project);
    const nowMs = Date.now();
    const asked = parseTimeRange(query, nowMs, maxBuckets) ?? lastPeriod('24h', nowMs, maxBuckets);
    const ids = projects.map(({ id }) => id);
    const [{ startMs, endMs, accounts }, labels] = await Promise.all([
      accountsOf(events, ids, asked, query.key),
      keyLabels(state, ids),
    ]);
    const slugs = new Map(projects.map((project) => [project.id, project.slug]));
    return {
      start: iso(startMs),
      end: iso(endMs),
      accounts: accounts.map(({ projectId, keyId, dropped, ...account }) => ({
        ...account,
        projectId: String(projectId),
        projectSlug: slugs.get(projectId) ?? '',
        keyId: keyId === 0 ? null : String(keyId),
        keyLabel: labels.get(keyId) ?? null,
        dropped: dropped.map((one) => ({ ...one, outcome: one.outcome as OutcomeKind })),
      })),
    };
  });

  implement(api, contract.getStats, async ({ caller, query }) => {
    const projects = await chooseProjects(state, caller.membership, query.project);
    const asked = statsRange(query, Date.now());
    const ids = projects.map((project) => project.id);
    const { range, groups } = await countOutcomes(events, ids, asked);
    return toStats(groups, range, query);
  });

  implement(api, contract.getStatsSummary, async ({ caller, query }) => {
    const projects = await chooseProjects(state, caller.membership, query.project);
    const ids = projects.map(({ id }) => id);
    const { range, groups } = await countOutcomes(events, ids, statsRange(query, Date.now()));
    return toSummary(groups, projects, range, query);
  });

  implement(api, contract.listEventsDropped, async ({ caller, query }) => {
    const projects = await chooseProjects(state, caller.membership, query.project);
    const ids = projects.map(({ id }) => id);
    const { range, groups } = await countOutcomes(events, ids, statsRange(query, Date.now()));
    return toDropped(groups, range, query);
  });

  implement(api, contract.getProjectStats, async ({ caller: { project }, query }) => {
    const { range, groups } = await countOutcomes(events, [project.id], projectStatsRange(query, Date.now()));
    return toProjectStats(groups, range, query);
  });

  const toItem = (item: KeptItem, projectSlug: string) => ({
    id: item.id,
    projectId: String(item.projectId),
    projectSlug,
    dateReceived: iso(item.receivedAt),
    type: item.type,
    category: item.category,
    outcome: item.outcome as OutcomeKind,
    reason: item.reason,
    detail: item.detail,
    eventId: item.eventId || null,
    sizeBytes: item.sizeBytes,
  });

  implement(api, contract.listItems, async ({ caller, query, request, reply }) => {
    const projects = await chooseProjects(state, caller.membership, query.project);
    const nowMs = Date.now();
    const cursor = parseCursor(query.cursor);
    const rows = await listItems(events, {
      projectIds: projects.map((project) => project.id),
      range: parseTimeRange(query, nowMs) ?? lastPeriod('14d', nowMs),
      type: query.type,
      outcome: query.outcome,
      reason: query.reason,
      offset: cursor?.offset ?? 0,
      limit: query.limit + 1,
    });
    const page = pageOf(rows, cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    const slugs = new Map(projects.map((project) => [project.id, project.slug]));
    return page.rows.map((item) => toItem(item, slugs.get(item.projectId) ?? ''));
  });

  implement(api, contract.getItem, async ({ caller, params }) => {
    const projects = await seenProjects(state, caller.membership);
    const item = await findItem(
      events,
      projects.map((project) => project.id),
      params.item,
    );
    if (!item) throw new CodedError('NOT_FOUND', [things.item(params.item)]);
    const project = projects.find((one) => one.id === item.projectId);
    return {
      ...toItem(item, project?.slug ?? ''),
      headers: parseHeaders(item.headers),
      payload: item.blobKey ? await readText(item.blobKey) : item.payload,
    };
  });

  const readText = async (blobKey: string): Promise<string | null> => {
    const bytes = await blobs?.get(blobKey);
    if (!bytes || bytes.length > maxPayloadBytes) return null;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return null;
    }
  };

  const streams = createLiveStreams(api);
  implement(api, contract.getLive, async ({ caller, query, request, reply }) => {
    const { organizationId, within } = caller.membership;
    const reader = { organizationId, within, userId: caller.identity.userId };
    await streams.open(reader, { request, reply, lastMs: query.lastMs ?? 0 });
  });
}

function parseHeaders(text: string): Record<string, unknown> {
  try {
    return object(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
