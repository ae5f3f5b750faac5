/** Rules to begin with. */
import { listChannels } from '../notify/index.ts';
import type { Project } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
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
      title: 'New or regressed issues',
      why: 'What never happened before, and what was thought to be mended.',
      rule: {
        ...shared,
        kind: 'issue',
        name: 'New or regressed issues',
        trigger: { match: 'any', conditions: [{ type: 'new_issue' }, { type: 'regression' }] },
      },
    },
    {
      id: 'escalating',
      title: 'Issues that escalate',
      why: 'What was let be, because it was rare, and is not rare any more.',
      rule: {
        ...shared,
        kind: 'issue',
        name: 'Issues that escalate',
        trigger: { match: 'any', conditions: [{ type: 'escalating' }, { type: 'unarchived' }] },
      },
    },
    {
      id: 'many-users',
      title: 'Many users at once',
      why: 'One issue that 50 people met within an hour.',
      rule: {
        ...shared,
        kind: 'issue',
        name: 'Many users at once',
        trigger: { match: 'any', conditions: [{ type: 'user_frequency', count: 50, minutes: 60 }] },
      },
    },
    {
      id: 'watched-digest',
      title: 'A watched digest is seen',
      why: 'Somebody had an error page, and its error has arrived.',
      rule: {
        ...shared,
        kind: 'issue',
        name: 'A watched digest is seen',
        trigger: { match: 'any', conditions: [{ type: 'watched_digest', digest: null }] },
      },
    },
    {
      id: 'unusual-errors',
      title: 'Unusually many errors',
      why: 'Compared with the same hours of earlier weeks, so that a busy Monday is no alarm.',
      rule: { ...shared, kind: 'metric', name: 'Unusually many errors', metric },
    },
    {
      id: 'slow-requests',
      title: 'Slow requests',
      why: 'One in twenty requests takes longer than two seconds.',
      rule: {
        ...shared,
        kind: 'metric',
        name: 'Slow requests',
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
      title: 'Sessions that crash',
      why: 'Fewer than 99 of 100 sessions end well.',
      rule: {
        ...shared,
        kind: 'metric',
        name: 'Sessions that crash',
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
    name: `New or regressed issues in ${project.name}`.slice(0, 200),
    enabled: channel !== undefined,
  };
  await addRule(state, { organizationId: project.organizationId, userId }, rule, nowMs);
}
