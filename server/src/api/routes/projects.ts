/** Projects and their keys. */
import type { z } from 'zod';
import type { Membership } from '../../accounts/index.ts';
import { addDefaultRule } from '../../alerts/index.ts';
import { CodedError } from '../../errors.ts';
import { forgetProject } from '../../issues/index.ts';
import * as projects from '../../projects/index.ts';
import * as contract from '../contract/projects.ts';
import { adoptIssues } from '../grouping-change.ts';
import { type Api, implement } from '../implement.ts';
import { linkPages, pageOf, parseCursor } from '../pagination.ts';
import { iso } from '../shapes/read.ts';

export function projectRoutes(api: Api): void {
  const { state, events, blobs, indexer, keys, config, getUrl } = api.deps;

  const toProject = async (
    project: projects.Project,
    { organizationId, slug, name }: Membership,
  ): Promise<z.output<typeof contract.Project>> => {
    const key = (await projects.listKeys(state, project.id)).find((one) => one.isActive);
    const { internal, grouping, ...settings } = project.settings;
    return {
      id: String(project.id),
      slug: project.slug,
      name: project.name,
      platform: project.platform || null,
      dateCreated: iso(project.createdAt),
      firstEvent: project.firstEventAt === null ? null : iso(project.firstEventAt),
      firstTransactionEvent: project.firstSpanAt !== null,
      firstSpan: project.firstSpanAt === null ? null : iso(project.firstSpanAt),
      status: 'active',
      isMember: true,
      isBookmarked: false,
      hasAccess: true,
      features: [],
      teams: [],
      organization: { id: organizationId, slug, name },
      shortIdPrefix: project.shortIdPrefix,
      dsn: key ? projects.dsn(getUrl(), key.publicKey, project.id) : null,
      settings: {
        ...settings,
        sensitiveFields: [...settings.sensitiveFields],
        safeFields: [...settings.safeFields],
        allowedDomains: [...settings.allowedDomains],
      },
      groupingConfig: grouping.version,
      groupingUpgradedFrom: grouping.previousVersion,
      groupingUpgradedAt: grouping.upgradedAt === null ? null : iso(grouping.upgradedAt),
      fingerprintingRules: grouping.fingerprintRules,
      groupingEnhancements: grouping.stackTraceRules,
      isInternal: internal,
    };
  };

  implement(api, contract.listProjects, async ({ caller, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const all = await projects.listProjects(state, caller.membership.organizationId);
    const page = pageOf(all.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return Promise.all(page.rows.map((project) => toProject(project, caller.membership)));
  });

  implement(api, contract.createProject, async ({ caller, body }) => {
    const { organizationId } = caller.membership;
    const { name, slug, platform } = body;
    const made = await projects.createProject(state, { organizationId, name, slug, platform: platform ?? '' });
    await addDefaultRule(state, made.project, caller.identity.userId, Date.now());
    return toProject(made.project, caller.membership);
  });

  implement(api, contract.getProject, async ({ caller }) => toProject(caller.project, caller.membership));

  implement(api, contract.updateProject, async ({ caller, body }) => {
    const { platform, groupingConfig, fingerprintingRules, groupingEnhancements, ...patch } = body;
    await adoptIssues(api.deps, caller.project, body);
    const project = await projects.updateProject(state, caller.project.id, {
      ...patch,
      grouping: {
        version: groupingConfig,
        fingerprintRules: fingerprintingRules,
        stackTraceRules: groupingEnhancements,
      },
      ...(platform === undefined ? {} : { platform: platform ?? '' }),
    });
    keys?.invalidate();
    if (!project) throw new CodedError('NOT_FOUND', [`project ${caller.project.slug}`]);
    return toProject(project, caller.membership);
  });

  implement(api, contract.deleteProject, async ({ caller }) => {
    // The events first: when they cannot be deleted now, the project still stands and deleting can be repeated.
    await forgetProject({ events, blobs, retentionDays: config.retentionDays }, caller.project.id);
    await projects.deleteProject(state, caller.project.id);
    keys?.invalidate();
    // Bundles that were uploaded for it alone, when no other is being worked on.
    void indexer?.sweep();
  });

  const toKey = (key: projects.ProjectKey): z.output<typeof contract.ProjectKey> => ({
    id: String(key.id),
    name: key.label,
    label: key.label,
    public: key.publicKey,
    projectId: key.projectId,
    isActive: key.isActive,
    rateLimit: key.rateLimit && { count: key.rateLimit.count, window: key.rateLimit.windowSeconds },
    blobBytesPerDay: key.blobBytesPerDay,
    dsn: {
      public: projects.dsn(getUrl(), key.publicKey, key.projectId),
      security: `${getUrl()}/api/${key.projectId}/security/?sentry_key=${key.publicKey}`,
    },
    dateCreated: iso(key.createdAt),
  });

  const toLimit = (limit: { count: number; window: number } | null | undefined) =>
    limit && { count: limit.count, windowSeconds: limit.window };

  const keyOf = async (projectId: number, id: string): Promise<projects.ProjectKey> => {
    const key = await projects.getKey(state, projectId, id);
    if (!key) throw new CodedError('NOT_FOUND', [`key ${id}`]);
    return key;
  };

  implement(api, contract.listKeys, async ({ caller }) =>
    (await projects.listKeys(state, caller.project.id)).map(toKey),
  );

  implement(api, contract.createKey, async ({ caller, body }) => {
    const label = body.name || undefined;
    const { rateLimit, blobBytesPerDay } = body;
    const given = { label, rateLimit: toLimit(rateLimit), blobBytesPerDay };
    return toKey(await projects.createKey(state, caller.project.id, given));
  });

  implement(api, contract.updateKey, async ({ caller, params, body }) => {
    const { id } = await keyOf(caller.project.id, params.id);
    const { name, isActive, rateLimit, blobBytesPerDay } = body;
    const patch = { label: name, isActive, rateLimit: toLimit(rateLimit), blobBytesPerDay };
    const key = await projects.updateKey(state, caller.project.id, id, patch);
    keys?.invalidate();
    if (!key) throw new CodedError('NOT_FOUND', [`key ${params.id}`]);
    return toKey(key);
  });

  implement(api, contract.deleteKey, async ({ caller, params }) => {
    const { id } = await keyOf(caller.project.id, params.id);
    await projects.deleteKey(state, caller.project.id, id);
    keys?.invalidate();
  });
}
