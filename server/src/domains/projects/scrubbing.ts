/** Scrubbing that members settle: rules of projects and of the organisation, and how both become the settings of one. */
import { createHmac } from 'node:crypto';
import type { State } from '../../ports/state/state.ts';
import type { RuleProblem } from '../../process/steps/group/index.ts';
import { hasOwnRules, loadPatterns, readOwnRules } from '../../process/steps/scrub/index.ts';
import type { ProjectSettings } from '../../process/types.ts';
import { RulesError } from './grouping-settings.ts';

export interface OrganizationScrubbing {
  /** In Relay's language, JSON; '' for none. */
  readonly rules: string;
  readonly removeIpAddresses: boolean;
  readonly pseudonymizeUsers: boolean;
}

export const noScrubbing: OrganizationScrubbing = { rules: '', removeIpAddresses: false, pseudonymizeUsers: false };

export async function organizationScrubbing(state: State, organizationId: string): Promise<OrganizationScrubbing> {
  const row = await state.db
    .selectFrom('organization_setting')
    .select(scrubbingColumns)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row ? toScrubbing(row) : noScrubbing;
}

export const scrubbingColumns = [
  'organization_setting.scrub_rules as organizationRules',
  'organization_setting.removes_addresses as removesAddresses',
  'organization_setting.pseudonymizes_users as pseudonymizesUsers',
] as const;

interface ScrubbingRow {
  readonly organizationRules: string | null;
  readonly removesAddresses: number | null;
  readonly pseudonymizesUsers: number | null;
}

export const toScrubbing = (row: ScrubbingRow): OrganizationScrubbing => ({
  rules: row.organizationRules ?? '',
  removeIpAddresses: row.removesAddresses === 1,
  pseudonymizeUsers: row.pseudonymizesUsers === 1,
});

/** What is wrong in the text, and where. */
export async function scrubRuleProblems(text: string): Promise<readonly RuleProblem[]> {
  await loadPatterns();
  return readOwnRules(text, { prefix: 'project', hashKey: '' }).problems;
}

/** Rules that cannot be read throw a `RulesError` that names each place. */
export async function checkScrubRules(text: string): Promise<void> {
  const problems = await scrubRuleProblems(text);
  if (problems.length > 0) throw new RulesError(problems.map((problem) => ({ field: 'rules', ...problem })));
}

/** What is undefined stays. Rules have been checked. */
export async function changeOrganizationScrubbing(
  state: State,
  organizationId: string,
  patch: { readonly [K in keyof OrganizationScrubbing]?: OrganizationScrubbing[K] | undefined },
): Promise<void> {
  const row = {
    ...(patch.rules !== undefined && { scrub_rules: patch.rules }),
    ...(patch.removeIpAddresses !== undefined && { removes_addresses: Number(patch.removeIpAddresses) }),
    ...(patch.pseudonymizeUsers !== undefined && { pseudonymizes_users: Number(patch.pseudonymizeUsers) }),
  };
  if (Object.keys(row).length === 0) return;
  await state.db
    .insertInto('organization_setting')
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute();
}

/** Of an organisation: what is hashed in one says nothing to another. `key` is the installation's, hex. */
export const pseudonymKeyOf = (key: string, organizationId: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(organizationId).digest('hex');

/** Whose organisation it is, and the installation's key for pseudonyms. */
export interface Around {
  readonly organizationId: string;
  readonly organization: OrganizationScrubbing;
  /** Hex. */
  readonly pseudonymKey: string;
}

/** The settings that hold: the organisation's switches are on for all of its projects, and its rules come first. */
export async function withOrganization(settings: ProjectSettings, around: Around): Promise<ProjectSettings> {
  const { organization } = around;
  const joined: ProjectSettings = {
    ...settings,
    storeIpAddresses: settings.storeIpAddresses && !organization.removeIpAddresses,
    pseudonymizeUsers: settings.pseudonymizeUsers || organization.pseudonymizeUsers,
    organizationRules: organization.rules,
  };
  if (!hasOwnRules(joined)) return joined;
  await loadPatterns();
  return { ...joined, pseudonymKey: pseudonymKeyOf(around.pseudonymKey, around.organizationId) };
}
