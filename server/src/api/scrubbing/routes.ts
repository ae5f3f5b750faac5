/** Scrubbing rules of organisations and projects. */
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import {
  changeOrganizationScrubbing,
  checkScrubRules,
  organizationScrubbing,
  scrubRuleProblems,
  updateProject,
  withOrganization,
} from '../../domains/projects/index.ts';
import { loosenedBy, previewScrubbing, type ScrubbingPreview } from '../../domains/scrubbing/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { leavingOf } from '../shared/leaving.ts';
import { iso } from '../shared/read.ts';
import { projectSettings, tellableProject } from '../shared/tellable.ts';
import * as contract from './contract.ts';

const previewDays = 30;
const dayMs = 86_400_000;

export function scrubbingRoutes(api: Api): void {
  const { state, events, live, pseudonymKey } = api.deps;

  implement(api, contract.getOrganizationScrubbing, async ({ caller: { membership } }) =>
    organizationScrubbing(state, membership.organizationId),
  );

  implement(api, contract.updateOrganizationScrubbing, async ({ caller: { membership }, body, recorded }) => {
    const { organizationId: id, slug } = membership;
    if (body.rules !== undefined) await checkScrubRules(body.rules);
    return recorded(async (inside, note) => {
      const { rules: rulesBefore, ...before } = await organizationScrubbing(inside, id);
      await changeOrganizationScrubbing(inside, id, body);
      const changed = await organizationScrubbing(inside, id);
      const { rules: scrubRules, ...after } = changed;
      note({ id, name: slug }, { before: { ...before, scrubRules: rulesBefore }, after: { ...after, scrubRules } });
      return changed;
    });
  });

  implement(api, contract.getProjectScrubbing, async ({ caller: { project, membership } }) => ({
    rules: project.settings.scrubRules,
    organization: await organizationScrubbing(state, membership.organizationId),
  }));

  implement(api, contract.updateProjectScrubbing, async ({ caller: { project, membership }, body, recorded }) => {
    await checkScrubRules(body.rules);
    const changed = await recorded(async (inside, note) => {
      const after = await updateProject(inside, project.id, { settings: { scrubRules: body.rules } });
      if (!after) throw new CodedError('NOT_FOUND', [things.project(project.slug)]);
      note(tellableProject(project), { before: projectSettings(project), after: projectSettings(after) });
      return after;
    });
    live.publish({ type: 'settings' });
    return {
      rules: changed.settings.scrubRules,
      organization: await organizationScrubbing(state, membership.organizationId),
    };
  });

  implement(api, contract.previewScrubbing, async ({ caller: { project, membership }, body, reply }) => {
    const { rules, pseudonymizeUsers, limit } = body;
    const problems = await scrubRuleProblems(rules);
    if (problems.length > 0) return { ...nothingExamined, problems: [...problems] };
    const { organizationId } = membership;
    // Users that are pseudonyms already would become others.
    const settings = await withOrganization(
      {
        ...project.settings,
        scrubRules: rules,
        pseudonymizeUsers: pseudonymizeUsers && !project.settings.pseudonymizeUsers,
      },
      { organizationId, organization: noneOfOrganization, pseudonymKey: pseudonymKey ?? '' },
    );
    const preview = await previewScrubbing(events, {
      projectId: project.id,
      settings,
      limit,
      sinceMs: Date.now() - previewDays * dayMs,
      signal: leavingOf(reply),
    });
    return {
      problems: [],
      examined: preview.events.length,
      durationMs: preview.durationMs,
      events: preview.events.flatMap(({ id: eventID, ...one }) => (changed(one) ? { eventID, ...toChanged(one) } : [])),
      examinedSpans: preview.spans.length,
      spans: preview.spans.flatMap(({ id: spanId, traceId, ...one }) =>
        changed(one) ? { traceId, spanId, ...toChanged(one) } : [],
      ),
      examinedLogs: preview.logs.length,
      logs: preview.logs.filter(changed).map(toChanged),
      loosened: loosenedBy(project.settings.scrubRules, rules),
    };
  });
}

/** Its rules have been applied to what is stored. */
const noneOfOrganization = { rules: '', removeIpAddresses: false, pseudonymizeUsers: false };

const nothingExamined = {
  examined: 0,
  durationMs: 0,
  events: [],
  examinedSpans: 0,
  spans: [],
  examinedLogs: 0,
  logs: [],
  loosened: [],
};

type Looked = ScrubbingPreview['logs'][number];

const changed = ({ changes }: Pick<Looked, 'changes'>): boolean => changes.length > 0;

const toChanged = ({ title, at, changes, more }: Looked) => ({
  title,
  dateCreated: iso(at),
  changes: changes.map((change) => ({ ...change, rules: [...change.rules] })),
  more,
});
