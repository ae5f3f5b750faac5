/** What a webhook can be told of, and how Sentry's integration platform calls it. */

export const webhookEvents = [
  'issue.created',
  'issue.resolved',
  'issue.unresolved',
  'issue.regressed',
  'issue.escalating',
  'issue.assigned',
  'issue.unassigned',
  'issue.archived',
  'issue.merged',
  'issue.priority',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'alert.triggered',
  'alert.resolved',
  'release.created',
  'release.deployed',
  'release.archived',
  'release.reopened',
  'feedback.created',
  'feedback.updated',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/** `Sentry-Hook-Resource`. Of releases and feedback the integration platform has none. */
export type Resource = 'issue' | 'comment' | 'event_alert' | 'metric_alert' | 'release' | 'feedback' | 'installation';

/** Of the activity of issues; what is not here is told to nobody. */
const ofActivity: Readonly<Record<string, WebhookEvent>> = {
  first_seen: 'issue.created',
  set_resolved: 'issue.resolved',
  set_resolved_in_release: 'issue.resolved',
  set_resolved_by_commit: 'issue.resolved',
  set_unresolved: 'issue.unresolved',
  archived_condition_met: 'issue.unresolved',
  set_regression: 'issue.regressed',
  set_escalating: 'issue.escalating',
  set_archived: 'issue.archived',
  set_priority: 'issue.priority',
  assigned: 'issue.assigned',
  unassigned: 'issue.unassigned',
  merged: 'issue.merged',
  note: 'comment.created',
};

export const eventOfActivity = (type: string): WebhookEvent | undefined =>
  Object.hasOwn(ofActivity, type) ? ofActivity[type] : undefined;

/** The platform has one action for all ways back to unresolved; which of them it was, `substatus` says. */
export function actionOf(event: WebhookEvent): string {
  if (event === 'issue.regressed' || event === 'issue.escalating') return 'unresolved';
  return event.slice(event.indexOf('.') + 1);
}
