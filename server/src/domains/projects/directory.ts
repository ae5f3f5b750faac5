/** What ingestion and processing ask for with every request, answered from memory. */
import type { ProjectSettings } from '../../process/types.ts';
import type { State } from '../../ports/state/state.ts';
import type { KeyQuota } from '../../ingest/index.ts';
import { listAliases } from './aliases.ts';
import { rateLimitOf } from './keys.ts';
import { quotasOfKey } from './key-quotas.ts';
import { createLookupCache } from './lookup-cache.ts';
import type { LookupCache } from './lookup-cache.ts';
import { scrubbingColumns, toScrubbing, withOrganization } from './scrubbing.ts';
import { parseSettings } from './settings.ts';
import type { RateLimit } from './types.ts';

export interface KeyEntry {
  readonly keyId: number;
  readonly projectId: number;
  readonly organizationId: string;
  readonly isActive: boolean;
  readonly rateLimit: RateLimit | null;
  readonly blobBytesPerDay: number | null;
  /** Ids that the project had elsewhere; its DSNs may say them. */
  readonly aliases: readonly string[];
  readonly settings: ProjectSettings;
  /** That count what it sends: its own, those of its project and of its organisation. */
  readonly quotas: readonly KeyQuota[];
  /** Of the organisation; IANA name. */
  readonly timeZone: string;
  /** Whether the project has a mirror that is on. */
  readonly isMirrored: boolean;
}

/** Project keys by their public part. A change by another process is seen within seconds. */
export function createKeyDirectory({ state }: { state: State }): LookupCache<string, KeyEntry> {
  return createLookupCache({
    async load(publicKey): Promise<KeyEntry | undefined> {
      const row = await state.db
        .selectFrom('project_key')
        .innerJoin('project', 'project.id', 'project_key.project_id')
        .leftJoin('mirror', 'mirror.project_id', 'project_key.project_id')
        .leftJoin('organization_setting', 'organization_setting.organization_id', 'project.organization_id')
        .select([
          'project_key.id as keyId',
          'project_key.project_id as projectId',
          'project.organization_id as organizationId',
          'project_key.is_active',
          'project_key.rate_limit_count',
          'project_key.rate_limit_window_seconds',
          'project_key.blob_bytes_per_day as blobBytesPerDay',
          'project.settings',
          'mirror.enabled as isMirrored',
          'organization_setting.time_zone as timeZone',
        ])
        .where('project_key.public_key', '=', publicKey)
        .executeTakeFirst();
      if (!row) return undefined;
      const { keyId, projectId, organizationId, blobBytesPerDay } = row;
      return {
        keyId,
        projectId,
        organizationId,
        isActive: row.is_active === 1,
        rateLimit: rateLimitOf(row),
        blobBytesPerDay,
        aliases: await listAliases(state, projectId),
        settings: parseSettings(row.settings),
        quotas: await quotasOfKey(state, { keyId, projectId, organizationId }),
        timeZone: row.timeZone ?? 'UTC',
        isMirrored: row.isMirrored === 1,
      };
    },
  });
}

export interface SettingsOptions {
  readonly state: State;
  /** The installation's, for pseudonyms; hex. */
  readonly pseudonymKey: string;
}

/** Settings of projects by id, with what their organisation has settled; undefined for a project that is gone. */
export function createProjectSettings(options: SettingsOptions): LookupCache<number, ProjectSettings> {
  // What is read again every few seconds stays the same object while it is the same: steps remember by it.
  const byText = new Map<string, ProjectSettings>();
  return createLookupCache({
    async load(projectId) {
      const row = await settingsRow(options.state, projectId);
      if (row === undefined) return undefined;
      const { settings: text, organizationId } = row;
      const organization = toScrubbing(row);
      // Nearly all organisations have settled nothing, and their projects share what is alike.
      const isUsual = Object.values(organization).every((value) => !value);
      const key = isUsual && !mayHash(text) ? text : JSON.stringify([text, organizationId, organization]);
      const known = byText.get(key);
      if (known) return known;
      const settings = await withOrganization(parseSettings(text), { ...options, organizationId, organization });
      if (byText.size >= maxByText) byText.clear();
      byText.set(key, settings);
      return settings;
    },
  });
}

const maxByText = 1_000;

/** Whether the settings of a project may have pseudonyms, which differ by organisation. */
const mayHash = (text: string): boolean => /"scrubRules":"(?!")|"pseudonymizeUsers":true/.test(text);

/** Undefined for a project that is gone. */
export async function readSettings(options: SettingsOptions, projectId: number): Promise<ProjectSettings | undefined> {
  const row = await settingsRow(options.state, projectId);
  if (row === undefined) return undefined;
  const around = { ...options, organizationId: row.organizationId, organization: toScrubbing(row) };
  return withOrganization(parseSettings(row.settings), around);
}

const settingsRow = (state: State, projectId: number) =>
  state.db
    .selectFrom('project')
    .leftJoin('organization_setting', 'organization_setting.organization_id', 'project.organization_id')
    .select(['project.settings', 'project.organization_id as organizationId', ...scrubbingColumns])
    .where('project.id', '=', projectId)
    .executeTakeFirst();
