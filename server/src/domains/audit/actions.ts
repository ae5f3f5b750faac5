/**
 * What the audit log tells: the one table of actions. A name is `noun.verb`; `target` is what kind of thing it was done to.
 * `changes` names the settings whose values stand there before and after; of one that is `hidden` only that it changed,
 * of a `long` one too, since a text of many lines says more than a log should keep. `details` names what else is said.
 * Whatever is not named here is not written down. The console has a sentence for each (`console/messages/en/audit.json`).
 */
import { retentionClasses } from '../../base/retention.ts';

type Shown = 'shown' | 'hidden' | 'long';

export interface ActionFacts {
  readonly target: TargetType;
  readonly changes?: Readonly<Record<string, Shown>>;
  readonly details?: readonly string[];
}

export type TargetType =
  | 'alert_rule'
  | 'audit_log'
  | 'channel'
  | 'code_mapping'
  | 'codeowners'
  | 'erasure'
  | 'export'
  | 'feedback'
  | 'file'
  | 'incoming_webhook'
  | 'installation'
  | 'invitation'
  | 'issue'
  | 'member'
  | 'organization'
  | 'project'
  | 'project_key'
  | 'quota'
  | 'webhook'
  | 'release'
  | 'repository'
  | 'saved_question'
  | 'search'
  | 'sign_in_provider'
  | 'slack_app'
  | 'team'
  | 'token'
  | 'upload'
  | 'user';

const shown = (...names: string[]): Record<string, Shown> => Object.fromEntries(names.map((name) => [name, 'shown']));

const alertRule = {
  ...shown('name', 'enabled', 'mutedUntil', 'projectIds', 'environment', 'query', 'throttleMinutes', 'digestMinutes'),
  ...shown('channelIds', 'owner'),
  ...({ trigger: 'long', metric: 'long' } as const),
};
const webhook = { ...shown('name', 'enabled', 'projects', 'events'), ...({ url: 'hidden' } as const) };
const incomingWebhook = shown('name', 'provider', 'enabled', 'mappings');
const channel = { ...shown('name', 'enabled'), ...({ config: 'hidden', quietHours: 'long' } as const) };
const codeMapping = shown('repository', 'stackRoot', 'sourceRoot', 'branch');
const projectKey = shown('label', 'isActive', 'rateLimit', 'blobBytesPerDay');

const signInProvider = {
  ...shown('name', 'enabled', 'domains', 'joins', 'defaultRole'),
  ...({ mapping: 'long', settings: 'hidden' } as const),
};

export const actions = {
  'alert_rule.create': { target: 'alert_rule' },
  'alert_rule.update': { target: 'alert_rule', changes: alertRule },
  'alert_rule.delete': { target: 'alert_rule' },
  'audit_log.start': { target: 'audit_log' },
  'audit_log.read': { target: 'audit_log', details: ['filters'] },
  'audit_log.export': { target: 'audit_log', details: ['filters', 'format'] },
  'audit_log.update': {
    target: 'audit_log',
    changes: { ...shown('retentionDays', 'streamUrl', 'streamEnabled'), streamQuery: 'hidden', streamSecret: 'hidden' },
  },
  'audit_log.expire': { target: 'audit_log', details: ['entries', 'from', 'to', 'hash'] },
  'audit_log.reseal': { target: 'audit_log', details: ['reason', 'entry', 'hash'] },
  'channel.create': { target: 'channel', details: ['type'] },
  'channel.update': { target: 'channel', changes: channel, details: ['type'] },
  'channel.delete': { target: 'channel', details: ['type'] },
  'code_mapping.create': { target: 'code_mapping', changes: codeMapping },
  'code_mapping.update': { target: 'code_mapping', changes: codeMapping },
  'code_mapping.delete': { target: 'code_mapping' },
  'codeowners.create': { target: 'codeowners' },
  'codeowners.update': { target: 'codeowners', changes: { raw: 'long', names: 'long', repositoryId: 'shown' } },
  'codeowners.delete': { target: 'codeowners' },
  'erasure.search': { target: 'erasure', details: ['kinds'] },
  'erasure.export': { target: 'erasure' },
  'erasure.download': { target: 'erasure' },
  'erasure.confirm': { target: 'erasure' },
  'erasure.cancel': { target: 'erasure' },
  'export.create': { target: 'export', details: ['dataset', 'format', 'query', 'projects'] },
  'export.download': { target: 'export', details: ['format'] },
  'feedback.delete': { target: 'feedback' },
  'file.delete': { target: 'file', details: ['event'] },
  'import.start': { target: 'organization', details: ['tracker', 'url'] },
  'installation.set_up': { target: 'installation', details: ['owner'] },
  'installation.adopt_key': { target: 'installation', changes: shown('fingerprint') },
  'invitation.create': { target: 'invitation', details: ['role', 'teams'] },
  'invitation.renew': { target: 'invitation', details: ['role'] },
  'invitation.update': { target: 'invitation', changes: shown('role', 'teams') },
  'invitation.delete': { target: 'invitation', details: ['role'] },
  'issue.change_by_mcp': { target: 'issue', details: ['tool'] },
  'issue.change_by_slack': { target: 'issue', details: ['change', 'slackUser', 'workspace'] },
  'issue.delete': { target: 'issue', details: ['issues', 'query', 'discarded'] },
  'issue.allow': { target: 'issue' },
  'issue.limit': { target: 'issue', details: ['issues', 'query', 'limit'] },
  'issue.undo_limit': { target: 'issue', details: ['issues', 'limit'] },
  'issue.restore': { target: 'issue', details: ['issues'] },
  'member.add': { target: 'member', details: ['role'] },
  'member.join': { target: 'member', details: ['role'] },
  'member.update': { target: 'member', changes: shown('role', 'teams') },
  'member.remove': { target: 'member', details: ['role', 'keepsBuildTokens'] },
  'mirror.create': { target: 'project', details: ['leads'] },
  'mirror.update': { target: 'project', changes: shown('leads', 'enabled') },
  'mirror.delete': { target: 'project', details: ['leads'] },
  'organization.create': { target: 'organization', details: ['owner'] },
  'organization.update': {
    target: 'organization',
    changes: {
      ...shown('name', 'memberAccess', 'sessionLifetimeHours', 'sessionIdleHours', 'shareLinks', 'memberInvitations'),
      ...shown('allowedAddresses', 'removeIpAddresses', 'pseudonymizeUsers', 'timeZone', 'quotaChannelIds'),
      ...({ scrubRules: 'hidden' } as const),
      ...shown('requiresSecondFactor', 'requiredProvider'),
    },
  },
  'project.create': { target: 'project', details: ['platform'] },
  'project.update': {
    target: 'project',
    changes: {
      ...shown('name', 'slug', 'platform', 'storeIpAddresses', 'scrubData', 'scrubDefaults', 'sensitiveFields'),
      ...shown(
        'safeFields',
        'pseudonymizeUsers',
        'largeTextAttachments',
        'logExceptions',
        'allowedDomains',
        'filters',
        'groupingVersion',
        'autoAssignment',
        'aliases',
      ),
      ...({ scrubRules: 'hidden', filterPatterns: 'long' } as const),
      ...({ performance: 'long', fingerprintRules: 'long', stackTraceRules: 'long', ownershipRules: 'long' } as const),
    },
  },
  'project.hold': { target: 'project', details: ['reason'] },
  'project.release': { target: 'project' },
  'project.retention': { target: 'project', changes: shown(...retentionClasses) },
  'project.restore': { target: 'project', details: ['backup'] },
  'project.delete': { target: 'project' },
  'project_key.create': { target: 'project_key' },
  'project_key.update': { target: 'project_key', changes: projectKey },
  'project_key.delete': { target: 'project_key' },
  'retention.update': {
    target: 'organization',
    changes: shown('policies', ...retentionClasses.flatMap((name) => [`${name}Days`, `${name}LimitBytes`])),
  },
  'incoming_webhook.create': { target: 'incoming_webhook', changes: incomingWebhook },
  'incoming_webhook.update': { target: 'incoming_webhook', changes: incomingWebhook },
  'incoming_webhook.rotate_secret': { target: 'incoming_webhook' },
  'incoming_webhook.delete': { target: 'incoming_webhook' },
  'webhook.create': { target: 'webhook', changes: webhook },
  'webhook.update': { target: 'webhook', changes: webhook },
  'webhook.rotate_secret': { target: 'webhook' },
  'webhook.delete': { target: 'webhook', changes: webhook },
  'quota.create': { target: 'quota', changes: shown('amount', 'hard') },
  'quota.update': { target: 'quota', changes: shown('amount', 'hard') },
  'quota.delete': { target: 'quota', changes: shown('amount', 'hard') },
  'release.delete': { target: 'release' },
  'repository.create': { target: 'repository' },
  'repository.update': {
    target: 'repository',
    changes: shown('name', 'provider', 'url', 'linkTemplate', 'defaultBranch'),
  },
  'repository.delete': { target: 'repository' },
  'saved_question.create': { target: 'saved_question' },
  'saved_question.update': {
    target: 'saved_question',
    changes: { name: 'shown', visibility: 'shown', query: 'shown', state: 'long' },
  },
  'saved_question.delete': { target: 'saved_question' },
  'search.create': { target: 'search', details: ['query'] },
  'search.update': { target: 'search', changes: shown('name', 'query', 'visibility', 'sort') },
  'search.delete': { target: 'search', details: ['query'] },
  'share_link.create': { target: 'issue' },
  'share_link.revoke': { target: 'issue' },
  'share_link.open': { target: 'issue' },
  'sign_in_provider.create': { target: 'sign_in_provider', details: ['kind'] },
  'sign_in_provider.update': { target: 'sign_in_provider', changes: signInProvider, details: ['kind'] },
  'sign_in_provider.delete': { target: 'sign_in_provider', details: ['kind'] },
  'sign_in.succeed': { target: 'user', details: ['way', 'provider'] },
  'sign_in.fail': { target: 'user', details: ['reason', 'times', 'way', 'provider'] },
  sign_out: { target: 'user' },
  'slack_app.connect': { target: 'slack_app', details: ['apiUrl'] },
  'slack_app.update': {
    target: 'slack_app',
    changes: { workspace: 'shown', apiUrl: 'shown', token: 'hidden', signingSecret: 'hidden' },
  },
  'slack_app.disconnect': { target: 'slack_app' },
  'team.create': { target: 'team', details: ['projects', 'members'] },
  'team.update': { target: 'team', changes: shown('name', 'slug', 'projects') },
  'team.delete': { target: 'team' },
  'team.add_member': { target: 'team', details: ['member'] },
  'team.remove_member': { target: 'team', details: ['member'] },
  'team.add_project': { target: 'team' },
  'team.remove_project': { target: 'team' },
  'token.create': { target: 'token', details: ['kind', 'role', 'scopes', 'expires', 'owner'] },
  'token.delete': { target: 'token', details: ['kind', 'owner', 'reason'] },
  'token.revoke_all': { target: 'user' },
  'token.authorize': { target: 'token', details: ['scopes', 'host'] },
  'token.use_mcp': { target: 'token' },
  'upload.delete': { target: 'upload' },
  'user.cancel_email': { target: 'user' },
  'user.change_email': { target: 'user', changes: shown('email') },
  'user.change_password': { target: 'user', details: ['endedSessions'] },
  'user.add_passkey': { target: 'user', details: ['passkey'] },
  'user.delete': { target: 'user' },
  'user.end_session': { target: 'user', details: ['session'] },
  'user.end_sessions': { target: 'user', details: ['endedSessions'] },
  'user.fail_code': { target: 'user', details: ['reason', 'times'] },
  'user.fail_password': { target: 'user', details: ['reason', 'times'] },
  'user.link_provider': { target: 'user', details: ['provider'] },
  'user.recover': { target: 'user' },
  'user.remove_factors': { target: 'user' },
  'user.remove_passkey': { target: 'user', details: ['passkey'] },
  'user.remove_password': { target: 'user' },
  'user.rename_passkey': { target: 'user', details: ['passkey'] },
  'user.renew_recovery_codes': { target: 'user' },
  'user.request_email': { target: 'user', details: ['email'] },
  'user.request_reset': { target: 'user' },
  'user.reset_password': { target: 'user' },
  'user.set_password': { target: 'user' },
  'user.show_factor': { target: 'user' },
  'user.two_factor_off': { target: 'user', details: ['endedSessions'] },
  'user.two_factor_on': { target: 'user', details: ['endedSessions'] },
  'user.use_recovery': { target: 'user' },
  'user.update': { target: 'user', changes: shown('name') },
} as const satisfies Record<string, ActionFacts>;

export type Action = keyof typeof actions;
