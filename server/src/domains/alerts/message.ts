/** What a rule tells, as a notification: of one issue, of several at once, of a metric. */
import type { Notification, NotificationIssue, Severity } from '../notify/index.ts';
import type { Project } from '../projects/index.ts';
import type { FiringData, MetricRule, Rule } from './types.ts';
import { valueText } from './words.ts';
import { messages, reasons } from '../../base/texts/alerts.ts';

/** An issue as a message shows it. */
export interface IssueSummary extends NotificationIssue {
  readonly project: Pick<Project, 'id' | 'slug' | 'name'>;
}

export interface IssueFiring extends FiringData {
  readonly issue: IssueSummary;
}

export interface Place {
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

const maxLines = 25;

const ruleOf = ({ id, name }: Pick<Rule, 'id' | 'name'>, { baseUrl }: Place): NonNullable<Notification['rule']> => ({
  id,
  name,
  url: `${baseUrl}/alerts/${id}`,
});

export const issueUrl = ({ shortId }: Pick<NotificationIssue, 'shortId'>, { baseUrl }: Place): string =>
  `${baseUrl}/issues/${encodeURIComponent(shortId)}`;

/** By how bad the issue says it is. */
export function severityOfLevel(level: string): Exclude<Severity, 'resolved'> {
  if (level === 'fatal') return 'critical';
  return level === 'error' || level === 'warning' ? 'warning' : 'info';
}

const worst = (severities: readonly Exclude<Severity, 'resolved'>[]): Exclude<Severity, 'resolved'> =>
  severities.includes('critical') ? 'critical' : severities.includes('warning') ? 'warning' : 'info';

/** What a message about one issue is about; pagers close it once the issue is resolved. */
export const issueGroupKey = (ruleId: number, issueId: number): string => `rule:${ruleId}:issue:${issueId}`;

/** Several firings become one message, so that nobody is woken for each. `firstId` is that of the first firing. */
export function issueMessage(
  rule: Pick<Rule, 'id' | 'name'>,
  firings: readonly IssueFiring[],
  firstId: number,
  place: Place,
): Notification {
  const [only] = firings;
  if (!only) throw new TypeError('a message tells something');
  const severity = worst(firings.map(({ issue }) => severityOfLevel(issue.level)));
  if (firings.length === 1) {
    const { project, ...issue } = only.issue;
    return {
      kind: 'issue_alert',
      severity,
      title: messages.issue(only.why, issue.title),
      text: issue.culprit,
      url: issueUrl(issue, place),
      project,
      issue,
      rule: ruleOf(rule, place),
      fields: [],
      groupKey: issueGroupKey(rule.id, issue.id),
    };
  }
  const counts = [...Map.groupBy(firings, (one) => one.why)].map(([why, ones]) => ({ why, count: ones.length }));
  const issues = new Set(firings.map(({ issue }) => issue.id)).size;
  const [first] = counts;
  const allNew = counts.length === 1 && first?.why === reasons.new_issue;
  const lines = firings.slice(0, maxLines).map(({ why, issue }) => ({
    title: `${issue.shortId} ${issue.title}`,
    text: allNew ? issue.culprit : why,
    url: issueUrl(issue, place),
  }));
  const more = firings.length - lines.length;
  const projects = new Set(firings.map(({ issue }) => issue.project.id));
  return {
    kind: 'issue_alert',
    severity,
    title: allNew ? messages.newIssues(issues) : messages.issues(issues),
    text: more > 0 ? messages.more(more) : '',
    url: `${place.baseUrl}/issues`,
    ...(projects.size === 1 && { project: only.issue.project }),
    rule: ruleOf(rule, place),
    fields: [],
    sections: [{ heading: rule.name, lines }],
    // A matter of its own: a pager takes what comes under a key that is open for a repeat, and wakes nobody.
    groupKey: `rule:${rule.id}:digest:${firstId}`,
  };
}

export function metricMessage(
  rule: MetricRule,
  { severity, why, value, estimated, threshold }: FiringData & { readonly severity: Severity },
  projects: readonly Pick<Project, 'id' | 'slug' | 'name'>[],
  place: Place,
): Notification {
  const [project] = projects;
  const fields = [
    ...(threshold !== null && rule.metric.comparison.type === 'static'
      ? [{ name: messages.threshold, value: valueText(rule.metric, threshold) }]
      : []),
    ...(rule.environment ? [{ name: messages.environment, value: rule.environment }] : []),
    ...(rule.query.trim() ? [{ name: messages.filter, value: rule.query.trim() }] : []),
  ];
  return {
    kind: 'metric_alert',
    severity,
    title: messages.metric(messages.severity[severity], rule.name),
    text: messages.sentence(why),
    url: `${place.baseUrl}/alerts/${rule.id}`,
    ...(projects.length === 1 && project && { project: { id: project.id, slug: project.slug, name: project.name } }),
    ...(value !== null && {
      metric: { name: rule.metric.aggregate, value, threshold, ...(estimated && { estimated }) },
    }),
    rule: ruleOf(rule, place),
    fields,
    groupKey: `rule:${rule.id}`,
  };
}
