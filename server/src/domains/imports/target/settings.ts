/** Releases, alert rules and saved searches: what stands around issues. */
import { CodedError } from '../../../base/errors.ts';
import { gaps } from '../../../base/texts/imports.ts';
import { addRule } from '../../alerts/index.ts';
import type { Project } from '../../projects/index.ts';
import { checkedVersion, createDeploy, saveRelease } from '../../releases/index.ts';
import { saveSearch } from '../../saved-searches/index.ts';
import type { ImportContext } from '../context.ts';
import { offered } from '../offered.ts';
import type { ProjectRecord, ReleaseRecord, RuleRecord } from '../records.ts';

export async function importReleases(
  context: ImportContext,
  record: ProjectRecord,
  project: Project | undefined,
): Promise<void> {
  const { source, from, ledger, reporter, settings } = context;
  for await (const release of offered(context, 'release', source.releases(from, record))) {
    const id = `${record.id}:${release.version}`;
    if (await ledger.find('release', id)) {
      reporter.known('release');
      continue;
    }
    if (settings.dryRun || !project) {
      reporter.made('release');
      continue;
    }
    await orGap(context, 'release', release.version, async () => {
      await importRelease(context, release, project);
      await ledger.note('release', id, release.version);
      reporter.made('release');
    });
  }
}

async function importRelease(
  { state, organizationId }: ImportContext,
  { deploys, commits, ...facts }: ReleaseRecord,
  { id }: Project,
): Promise<void> {
  const named = { organizationId, version: checkedVersion(facts.version) };
  const { url, ref, dateReleased } = facts;
  const change = {
    projectIds: [id],
    ...(url !== null && { url }),
    ...(ref !== null && { ref }),
    ...(dateReleased !== null && { dateReleased }),
    ...(commits.length > 0 && { commits }),
  };
  const { release } = await saveRelease(state, named, change, Date.now());
  for (const { id: _, ...deploy } of deploys) await createDeploy(state, release.id, deploy, Date.now());
}

export async function importRules(
  context: ImportContext,
  record: ProjectRecord,
  project: Project | undefined,
): Promise<void> {
  const { state, organizationId, userId, source, from, ledger, reporter, settings } = context;
  for await (const rule of offered(context, 'rule', source.rules(from, record))) {
    for (const field of rule.lost) reporter.gap('rule', field, gaps[field], rule.name);
    const id = `${record.id}:${rule.id}`;
    if (!rule.conditions.length) continue;
    if (await ledger.find('rule', id)) {
      reporter.known('rule');
      continue;
    }
    reporter.made('rule');
    if (settings.dryRun || !project) continue;
    await orGap(context, 'rule', rule.name, async () => {
      const made = await addRule(state, { organizationId, userId }, definitionOf(rule, project), Date.now());
      await ledger.note('rule', id, made);
    });
  }
}

const definitionOf = ({ name, match, conditions, environment, throttleMinutes }: RuleRecord, project: Project) =>
  ({
    kind: 'issue',
    name: name.slice(0, 200),
    enabled: true,
    projectIds: [project.id],
    environment,
    query: '',
    throttleMinutes,
    digestMinutes: 0,
    channelIds: [],
    owner: null,
    trigger: { match, conditions },
  }) as const;

/** Of the organisation. */
export async function importSearches(context: ImportContext): Promise<void> {
  const { state, organizationId, userId, source, from, ledger, reporter, settings } = context;
  for await (const name of offered(context, 'rule', source.metricRules(from))) {
    reporter.gap('rule', '', gaps.metric, name);
  }
  for await (const { id, name, query, isShared } of offered(context, 'search', source.searches(from))) {
    if (await ledger.find('search', id)) {
      reporter.known('search');
      continue;
    }
    reporter.made('search');
    if (settings.dryRun) continue;
    await orGap(context, 'search', name, async () => {
      const fields = { type: 'issues', name: name.slice(0, 100), query, sort: '', state: null, pinned: false } as const;
      const visibility = isShared ? 'organization' : 'owner';
      const made = await saveSearch(state, { organizationId, userId }, { ...fields, visibility }, Date.now());
      await ledger.note('search', id, made);
    });
  }
}

/** What is refused here is told in the report, in the words of the refusal. */
async function orGap(
  { reporter }: ImportContext,
  kind: 'release' | 'rule' | 'search',
  name: string,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    reporter.gap(kind, '', gaps.refused(error.message), name);
  }
}
