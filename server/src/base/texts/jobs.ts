/** What background jobs are called on Health and in `culprit doctor`, and what the log says when one fails. */
export const jobs = {
  erasures: {
    title: 'Erase people and events',
    failed: 'could not check for requests to erase; will retry',
  },
  imports: {
    title: 'Import from other trackers',
    failed: 'could not check for imports; will retry',
  },
  webhookEvents: {
    title: 'Collect events for webhooks',
    failed: 'could not collect events for webhooks; will retry',
  },
  webhookDeliveries: {
    title: 'Send webhooks',
    failed: 'could not send webhooks; will retry',
  },
  webhookExpiry: {
    title: 'Delete old webhook deliveries',
    failed: 'could not delete old webhook deliveries; will retry',
  },
  quotaWatch: {
    title: 'Notify about quotas that are nearly used up',
    failed: 'could not check quotas; will retry',
  },
  payloadPacking: {
    title: 'Pack stored events',
    failed: 'could not pack stored events; will retry',
  },
  diskSpace: {
    title: 'Return disk space of deleted data',
    failed: 'could not return disk space; will retry',
  },
  storageCosts: {
    title: 'Measure what projects take of the disk',
    failed: 'could not measure what projects take of the disk; will retry',
  },
  retention: {
    title: 'Keep data within its retention',
    failed: 'could not delete data past retention; will retry',
  },
  diskUsage: {
    title: 'Measure disk usage',
    failed: 'could not measure disk usage; will retry',
  },
  deletedProjects: {
    title: 'Purge deleted projects',
    failed: 'could not purge a deleted project; will retry',
  },
  deletedComments: {
    title: 'Purge deleted comments',
    failed: 'could not purge deleted comments; will retry',
  },
  feedbackExpiry: {
    title: 'Delete feedback past retention',
    failed: 'could not delete data past retention; will retry',
  },
  issueLimitExpiry: {
    title: 'Forget events beyond limits past retention',
    failed: 'could not delete data past retention; will retry',
  },
  auditExpiry: {
    title: 'Delete audit log entries past retention',
    failed: 'could not delete old entries of the audit log; will retry',
  },
  auditStream: {
    title: 'Send audit log entries to webhooks',
    failed: 'could not send entries of the audit log; will retry',
  },
  mirrors: {
    title: 'Forward requests to mirrors',
    failed: 'could not forward requests to mirrors; will retry',
  },
  auditFile: {
    title: 'Write audit log entries to the file of this host',
    failed: 'could not write entries of the audit log to the file; will retry',
  },
  blobExpiry: {
    title: 'Delete files past retention',
    failed: 'could not delete data past retention; will retry',
  },
  restorePointExpiry: {
    title: 'Delete old restore points of upgrades',
    failed: 'could not delete old restore points; will retry',
  },
  followerMail: {
    title: 'Mail followers about activity on their issues',
    failed: 'could not read whom to notify; will retry',
  },
  weeklyReports: {
    title: 'Send weekly reports',
  },
  tokenReminders: {
    title: 'Remind users of expiring API tokens',
  },
  deliveries: {
    title: 'Deliver notifications',
    failed: 'could not read deliveries from the outbox; will retry',
  },
  deliveryExpiry: {
    title: 'Delete deliveries older than a month',
    failed: 'could not delete old deliveries; will retry',
  },
  feedbackLinks: {
    title: 'Link feedback to events that arrived after it',
    failed: 'could not link feedback to its issues; will retry',
  },
  feedbackBackfill: {
    title: 'Read feedback kept by an earlier version',
    failed: 'could not read feedback kept by an earlier version; will retry',
  },
  similarIssues: {
    title: 'Index new errors for similar issues',
    failed: 'could not index similar issues; will retry',
  },
  issueChanges: {
    title: 'Apply bulk changes and finish deletions',
    failed: 'bulk changes stopped; will resume',
  },
  issueChangeExpiry: {
    title: 'Delete bulk changes that can no longer be undone',
    failed: 'could not delete old bulk changes; will retry',
  },
  issueStates: {
    title: 'Update issue states by age and volume',
    failed: 'could not update issue states; will retry',
  },
  ownership: {
    title: 'Assign new and regressed issues to their owners',
    failed: 'could not assign issues to their owners; will retry',
  },
  performanceProblems: {
    title: 'Detect performance problems in traces',
    failed: 'could not check spans; will retry',
  },
  symbolication: {
    title: 'Apply late source maps to stored events',
    failed: 'could not symbolicate stored events again; will retry',
  },
  exports: {
    title: 'Write exports',
    failed: 'exports stopped; will resume',
  },
  exportExpiry: {
    title: 'Delete exports older than a week',
    failed: 'could not delete old exports; will retry',
  },
  alertExpiry: {
    title: 'Delete old alert firings',
    failed: 'could not delete old alert firings; will retry',
  },
  sourceMaps: {
    title: 'Index uploaded source maps',
    failed: 'could not index source map bundles; will retry',
  },
  sourceMapExpiry: {
    title: 'Delete unused source maps',
    failed: 'could not delete unused source maps; will retry',
  },
  digestWatches: {
    title: 'Look up watched digests',
    failed: 'could not look up watched digests; will retry',
  },
  eventIndex: {
    title: 'Index stored events',
    failed: 'could not index stored events; will retry',
  },
  backups: {
    title: 'Back up',
    failed: 'could not take a backup; will retry',
    interrupted: 'The server was stopped several times while it took this backup.',
    otherKey: 'The server has another key than the command that requested this backup.',
  },
  deletionList: {
    title: 'List deletions next to the backups',
    failed: 'could not write the list of deletions next to the backups; will retry',
  },
  carryOver: {
    title: 'Move stored events into segments',
    failed: 'could not move stored events into segments; will retry',
  },
  alertRules: {
    happenings: 'Evaluate alert rules on issue activity',
    counts: 'Evaluate alert rules on issue frequency',
    metrics: 'Evaluate alert rules on metrics',
    failed: 'could not evaluate alert rules; will retry',
  },
} as const;
