/** A project as the API shows it. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { dsn } from '../../base/dsn.ts';
import { listKeys, type Project } from '../../domains/projects/index.ts';
import type * as contract from './contract.ts';
import type { ApiDeps } from '../shared/deps.ts';
import { iso } from '../shared/read.ts';

export async function toProject(
  { state, getUrl }: Pick<ApiDeps, 'state' | 'getUrl'>,
  project: Project,
  { organizationId, slug, name }: Membership,
  teams: z.output<typeof contract.Project>['teams'] = [],
): Promise<z.output<typeof contract.Project>> {
  const key = (await listKeys(state, project.id)).find((one) => one.isActive);
  // Rules may hold keys of hashes, which not everybody who sees a project is told: `api/scrubbing` has them. `api/filters` has the filters.
  const {
    internal,
    grouping,
    filters: _filters,
    scrubRules: _rules,
    organizationRules: _ofOrganization,
    pseudonymKey: _key,
    ...settings
  } = project.settings;
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
    teams,
    organization: { id: organizationId, slug, name },
    shortIdPrefix: project.shortIdPrefix,
    dsn: key ? dsn(getUrl(), key.publicKey, project.id) : null,
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
}
