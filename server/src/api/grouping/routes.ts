/** How events are grouped, and previews of other rules. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Event } from '../../process/steps/event.ts';
import { groupingVersions, parseFingerprintRules, parseStackTraceRules } from '../../process/steps/group/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { explainEvent, type FieldProblem, type Preview, type Previews } from '../../domains/regroup/index.ts';
import { lastPeriod } from '../../base/time-range.ts';
import { ruleProblems } from '../../base/texts/rules.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { changedGrouping } from '../../domains/regroup/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { toGroupingInfo, toPreview } from './shapes.ts';

type PreviewBody = z.output<typeof contract.startGroupingPreview.body>;

const defaultPeriod = '7d';
/** Events that one preview groups anew. */
const maxEvents = 20_000;

export function groupingRoutes(api: Api): void {
  const { deps } = api;
  const { state, events, getUrl } = deps;

  implement(api, contract.getGroupingInfo, async ({ caller: { project }, params }) => {
    const event = await issues.findEvent({ events }, [project.id], params.event);
    if (!event) throw new CodedError('NOT_FOUND', [things.event(params.event)]);
    const { grouped, rules } = explainEvent(JSON.parse(event.payload) as Event, project.settings.grouping);
    const stored = { version: event.grouping_version, hashes: event.group_hashes };
    return toGroupingInfo(event.event_id, grouped, stored, rules);
  });

  const running = (): Previews => {
    const previews = deps.previews?.();
    if (!previews) throw new CodedError('ENGINE_UNAVAILABLE');
    return previews;
  };

  const shown = async (preview: Preview, project: Project) => {
    const { merges = [], splits = [] } = preview.result ?? {};
    const ids = [
      ...merges.flatMap(({ into, issues: from }) => [
        ...(into === null ? [] : [into]),
        ...from.map((one) => one.issueId),
      ]),
      ...splits.map(({ issueId }) => issueId),
    ];
    return toPreview(preview, await issues.issuesById(state, ids), { project, baseUrl: getUrl() });
  };

  implement(api, contract.startGroupingPreview, async ({ caller: { project }, body }) => {
    const { grouping } = project.settings;
    const { startMs } = lastPeriod(body.statsPeriod || defaultPeriod, Date.now());
    const request = { projectId: project.id, sinceMs: startMs, limit: maxEvents };
    const after = changedGrouping(grouping, body);
    const preview = await running().start({ ...request, before: grouping, after }, problemsOf(body));
    return shown(preview, project);
  });

  implement(api, contract.getGroupingPreview, async ({ caller: { project }, params }) => {
    const preview = await running().find(project.id, params.preview);
    if (!preview) throw new CodedError('NOT_FOUND', [things.preview(params.preview)]);
    return shown(preview, project);
  });

  implement(api, contract.cancelGroupingPreview, async ({ caller: { project }, params }) => {
    if (await running().cancel(project.id, params.preview)) return;
    throw new CodedError('NOT_FOUND', [things.preview(params.preview)]);
  });
}

function problemsOf(body: PreviewBody): FieldProblem[] {
  const { groupingConfig: version } = body;
  const unknown = version !== undefined && !groupingVersions.includes(version);
  return [
    ...parseFingerprintRules(body.fingerprintingRules ?? '').problems.map((problem) => ({
      field: 'fingerprintingRules' as const,
      ...problem,
    })),
    ...parseStackTraceRules(body.groupingEnhancements ?? '').problems.map((problem) => ({
      field: 'groupingEnhancements' as const,
      ...problem,
    })),
    ...(unknown
      ? [
          {
            field: 'groupingConfig' as const,
            line: 1,
            column: 1,
            endColumn: version.length + 1,
            message: ruleProblems.unknownVersion(version, groupingVersions),
          },
        ]
      : []),
  ];
}
