/** Rules to begin with. */
import { listChannels } from '../notify/index.ts';
import type { Project } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { suggestions } from '../../base/texts/alerts.ts';
import { addRule } from './rules.ts';
import type { Metric, RuleDefinition, RuleSettings } from './types.ts';

export interface Suggestion {
  readonly id: string;
  readonly title: string;
  /** What it is good for. */
  readonly why: string;
  readonly rule: RuleDefinition;
}

const settings = (
  project: Pick<Project, 'id'> | undefined,
  channelIds: readonly number[],
): Omit<RuleSettings, 'name'> => ({
  enabled: true,
  projectIds: project ? [project.id] : [],
  environment: '',
  query: '',
  throttleMinutes: 30,
  digestMinutes: 5,
  channelIds,
  owner: null,
});

const metric: Metric = {
  dataset: 'errors',
  aggregate: 'count()',
  minutes: 60,
  comparison: { type: 'anomaly', sensitivity: 'medium' },
  direction: 'above',
  warning: null,
  critical: null,
  resolve: null,
  noData: 'ok',
};

/** `project`: undefined for all. */
export function suggestionsFor(project: Pick<Project, 'id'> | undefined, channelIds: readonly number[]): Suggestion[] {
  const shared = settings(project, channelIds);
  return [
    {
      id: 'new-or-regressed',
      title: suggestions.newOrRegressed[0],
      why: suggestions.newOrRegressed[1],
      rule: {
        ...shared,
        kind: 'issue',
        name: suggestions.newOrRegressed[0],
        trigger: { match: 'any', conditions: [{ type: 'new_issue' }, { type: 'regression' }] },
      },
    },
    {
      id: 'escalating',
      title: suggestions.escalating[0],
      why: suggestions.escalating[1],
      rule: {
        ...shared,
        kind: 'issue',
        name: suggestions.escalating[0],
        trigger: { match: 'any', conditions: [{ type: 'escalating' }, { type: 'unarchived' }] },
      },
    },
    {
      id: 'many-users',
      title: suggestions.manyUsers[0],
      why: suggestions.manyUsers[1],
      rule: {
        ...shared,
        kind: 'issue',
        name: suggestions.manyUsers[0],
        trigger: { match: 'any', conditions: [{ type: 'user_frequency', count: 50, minutes: 60 }] },
      },
    },
    {
      id: 'watched-digest',
      title: suggestions.watchedDigest[0],
      why: suggestions.watchedDigest[1],
      rule: {
        ...shared,
        kind: 'issue',
        name: suggestions.watchedDigest[0],
        trigger: { match: 'any', conditions: [{ type: 'watched_digest', digest: null }] },
      },
    },
    {
      id: 'unusual-errors',
      title: suggestions.unusualErrors[0],
      why: suggestions.unusualErrors[1],
      rule: { ...shared, kind: 'metric', name: suggestions.unusualErrors[0], metric },
    },
    {
      id: 'slow-requests',
      title: suggestions.slowRequests[0],
      why: suggestions.slowRequests[1],
      rule: {
        ...shared,
        kind: 'metric',
        name: suggestions.slowRequests[0],
        metric: {
          ...metric,
          dataset: 'transactions',
          aggregate: 'p95(span.duration)',
          minutes: 15,
          comparison: { type: 'static' },
          warning: 2_000,
          critical: 5_000,
        },
      },
    },
    {
      id: 'crash-free-sessions',
      title: suggestions.crashes[0],
      why: suggestions.crashes[1],
      rule: {
        ...shared,
        kind: 'metric',
        name: suggestions.crashes[0],
        metric: {
          ...metric,
          dataset: 'sessions',
          aggregate: 'crash_free_rate(session)',
          comparison: { type: 'static' },
          direction: 'below',
          warning: 99,
          critical: 97,
        },
      },
    },
  ];
}

/** The first rule of a new project: told through the organisation's first channel for mail, else its first; off while there is none. */
export async function addDefaultRule(
  state: State,
  project: Project,
  userId: string | null,
  nowMs: number,
): Promise<void> {
  const channels = (await listChannels(state, project.organizationId)).filter((channel) => channel.enabled);
  const channel = channels.find(({ type }) => type === 'email') ?? channels[0];
  const [first] = suggestionsFor(project, channel ? [channel.id] : []);
  if (!first) return;
  const rule = {
    ...first.rule,
    name: suggestions.ofProject(project.name).slice(0, 200),
    enabled: channel !== undefined,
  };
  await addRule(state, { organizationId: project.organizationId, userId }, rule, nowMs);
}
