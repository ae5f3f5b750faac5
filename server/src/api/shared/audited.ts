/**
 * What each call that changes something leaves in the audit log: the one list. A call that is not here fails the test
 * beside it, and so does one that names an action and leaves no entry of it.
 */
import type { Action } from '../../domains/audit/index.ts';

export type Audited =
  /** Always. */
  | Action
  /** Some calls are, others not, for the reason given. */
  | { readonly some: readonly Action[]; readonly not: string }
  | { readonly not: string };

const reads = { not: 'It reads or tries out and changes nothing that is stored.' } as const;
const own = { not: 'It concerns only the person who asks.' } as const;
const activity = 'Each issue shows in its activity who did it and when.';
const triage = { not: activity } as const;
const issues = {
  some: ['share_link.create', 'share_link.revoke', 'issue.delete', 'issue.limit'],
  not: activity,
} as const;
const builds = { not: 'Builds do so with every deploy; what is uploaded lists its releases and dates.' } as const;
const shared = (action: 'search' | 'saved_question') =>
  ({
    some: [`${action}.create`, `${action}.update`, `${action}.delete`],
    not: 'What only its owner sees concerns no one else.',
  }) as const;

export const audited: Readonly<Record<string, Audited>> = {
  createAlertRule: 'alert_rule.create',
  updateAlertRule: 'alert_rule.update',
  deleteAlertRule: 'alert_rule.delete',
  createWorkflow: 'alert_rule.create',
  updateWorkflow: 'alert_rule.update',
  deleteWorkflow: 'alert_rule.delete',
  updateWorkflows: { some: ['alert_rule.update'], not: 'No rule matches, or all are so already.' },
  deleteWorkflows: { some: ['alert_rule.delete'], not: 'No rule matches the selection.' },
  createDetector: 'alert_rule.create',
  updateDetector: 'alert_rule.update',
  deleteDetector: 'alert_rule.delete',
  updateDetectors: { some: ['alert_rule.update'], not: 'No rule matches, or all are so already.' },
  deleteDetectors: { some: ['alert_rule.delete'], not: 'No rule matches the selection.' },
  muteAlertRule: { some: ['alert_rule.update'], not: 'Muted for oneself, it concerns only the person who asks.' },
  previewAlertRule: reads,
  cancelAlertPreview: reads,

  assembleBundle: builds,
  assembleDebugFiles: builds,
  postChunks: builds,
  deleteArtifactBundle: 'upload.delete',
  deleteDebugFile: 'upload.delete',
  uploadDebugFiles: builds,
  associateMapping: builds,

  createIncomingWebhook: 'incoming_webhook.create',
  updateIncomingWebhook: 'incoming_webhook.update',
  deleteIncomingWebhook: 'incoming_webhook.delete',
  rotateIncomingWebhookSecret: 'incoming_webhook.rotate_secret',

  createWebhook: 'webhook.create',
  updateWebhook: 'webhook.update',
  deleteWebhook: 'webhook.delete',
  rotateWebhookSecret: 'webhook.rotate_secret',
  testWebhook: { not: 'A test changes nothing that is stored.' },
  replayWebhookDelivery: { not: 'The list of deliveries shows it.' },
  replayFailedWebhookDeliveries: { not: 'The list of deliveries shows it.' },

  connectSlack: {
    some: ['slack_app.connect', 'slack_app.update'],
    not: 'Checked again with nothing new, nothing changes.',
  },
  disconnectSlack: 'slack_app.disconnect',

  createChannel: 'channel.create',
  updateChannel: 'channel.update',
  deleteChannel: 'channel.delete',
  testChannel: { not: 'A test changes nothing that is stored.' },
  testUnsavedChannel: { not: 'A test changes nothing that is stored.' },
  resendDelivery: { not: 'The list of deliveries shows it.' },
  resubscribeToChannel: own,

  addComment: triage,
  updateComment: triage,
  deleteComment: triage,
  restoreComment: triage,
  addNote: triage,
  addOrganizationNote: triage,
  updateNote: triage,
  updateOrganizationNote: triage,
  deleteNote: triage,
  deleteOrganizationNote: triage,

  updatePerformanceConfiguration: 'project.update',

  exploreCompare: reads,
  startExport: 'export.create',
  getExport: { some: ['export.download'], not: 'Looking how far it is downloads nothing.' },
  cancelExport: own,
  saveQuestion: shared('saved_question'),
  updateSavedQuestion: shared('saved_question'),
  deleteSavedQuestion: shared('saved_question'),

  startErasure: 'erasure.search',
  exportErasure: 'erasure.export',
  getErasureFile: 'erasure.download',
  confirmErasure: 'erasure.confirm',
  cancelErasure: 'erasure.cancel',
  setProjectHold: 'project.hold',
  deleteProjectHold: 'project.release',

  deleteAttachment: 'file.delete',
  deleteFeedback: 'feedback.delete',
  updateFeedback: { not: 'Read, resolved or spam is triage, and can be changed back.' },

  createDigestWatch: own,
  updateDigestWatch: own,
  deleteDigestWatch: own,
  findPasted: reads,

  startGroupingPreview: reads,
  cancelGroupingPreview: reads,
  checkGroupingRules: reads,

  setMirror: { some: ['mirror.create', 'mirror.update'], not: 'What was so before changes nothing.' },
  deleteMirror: 'mirror.delete',
  compareMirror: reads,
  testMirror: { not: 'A test changes nothing that is stored.' },

  postSetup: 'installation.set_up',

  updateIssue: issues,
  updateOrganizationIssue: issues,
  updateOrganizationIssues: issues,
  updateProjectIssues: issues,
  startBulk: issues,
  undoBulk: { some: ['share_link.create', 'share_link.revoke', 'issue.restore', 'issue.undo_limit'], not: activity },
  cancelBulk: triage,
  deleteIssue: 'issue.delete',
  deleteOrganizationIssue: 'issue.delete',
  deleteOrganizationIssues: 'issue.delete',
  deleteProjectIssues: 'issue.delete',
  deleteTombstone: 'issue.allow',
  getSharedIssue: 'share_link.open',
  getOrganizationSharedIssue: 'share_link.open',

  moveOutHashes: triage,
  moveOutOrganizationHashes: triage,
  takeBackMerge: triage,
  takeBackMerges: triage,
  takeBackOrganizationMerge: triage,
  takeBackOrganizationMerges: triage,
  dismissSimilarIssue: triage,
  dismissOrganizationSimilarIssue: triage,
  restoreSimilarIssue: triage,
  restoreOrganizationSimilarIssue: triage,

  updateNotificationSettings: own,

  createOrganization: 'organization.create',
  updateOrganization: 'organization.update',
  createToken: 'token.create',
  authorizeOAuthClient: 'token.authorize',
  decideOAuthDevice: { some: ['token.authorize'], not: 'Denied, nothing is granted.' },
  deleteToken: 'token.delete',
  createOrganizationToken: 'token.create',
  deleteOrganizationToken: 'token.delete',

  createCodeowners: 'codeowners.create',
  updateCodeowners: 'codeowners.update',
  deleteCodeowners: 'codeowners.delete',
  updateOwnership: 'project.update',
  previewOwnership: reads,
  testOwnership: reads,

  createProject: 'project.create',
  createTeamProject: 'project.create',
  updateProject: 'project.update',
  deleteProject: 'project.delete',
  addProjectAlias: 'project.update',
  deleteProjectAlias: 'project.update',
  createKey: 'project_key.create',
  updateKey: 'project_key.update',
  deleteKey: 'project_key.delete',

  createRelease: builds,
  createProjectRelease: builds,
  updateRelease: builds,
  updateProjectRelease: builds,
  createDeploy: builds,
  deleteRelease: 'release.delete',
  deleteProjectRelease: 'release.delete',

  createRepository: 'repository.create',
  updateRepository: 'repository.update',
  deleteRepository: 'repository.delete',
  createCodeMapping: 'code_mapping.create',
  setCodeMappings: { some: ['code_mapping.create', 'code_mapping.update'], not: 'It names at least one mapping.' },
  updateCodeMapping: 'code_mapping.update',
  deleteCodeMapping: 'code_mapping.delete',

  createSearch: shared('search'),
  updateSearch: shared('search'),
  deleteSearch: shared('search'),
  noteRecentSearch: own,

  symbolicateEvent: { not: 'It computes again what is stored and loses nothing.' },

  createSignInProvider: 'sign_in_provider.create',
  updateSignInProvider: 'sign_in_provider.update',
  deleteSignInProvider: 'sign_in_provider.delete',
  verifySignInDomains: { some: ['sign_in_provider.update'], not: 'No record was found.' },
  testSignInProvider: { not: 'A test changes nothing that is stored.' },
  updateRequiredProvider: 'organization.update',
  findWayIn: reads,
  readSamlMetadata: reads,

  createTeam: 'team.create',
  updateTeam: 'team.update',
  deleteTeam: 'team.delete',
  addProjectTeam: 'team.add_project',
  removeProjectTeam: 'team.remove_project',
  joinTeam: 'team.add_member',
  leaveTeam: 'team.remove_member',
  acceptInvitation: 'member.join',
  inviteMember: 'invitation.create',
  renewInvitation: 'invitation.renew',
  updateMember: { some: ['member.update', 'invitation.update'], not: 'What is as before is not told.' },
  removeMember: { some: ['member.remove', 'invitation.delete'], not: 'An invitation that is gone already.' },

  updateAccount: { some: ['user.update'], not: 'Preferences concern only the person who asks.' },
  changePassword: 'user.change_password',
  requestEmail: 'user.request_email',
  cancelEmail: { some: ['user.cancel_email'], not: 'No address waits to be confirmed.' },
  confirmEmail: 'user.change_email',
  endAccountSession: 'user.end_session',
  endOtherAccountSessions: { some: ['user.end_sessions'], not: 'There is no other session.' },
  deleteAccount: 'user.delete',
  requestPasswordReset: { some: ['user.request_reset'], not: 'No account has the address.' },
  resetPassword: 'user.reset_password',
  recoverAccount: 'user.use_recovery',
  updateSessionPolicy: 'organization.update',
  updateSecuritySettings: 'organization.update',
  updateOrganizationScrubbing: 'organization.update',
  updateProjectScrubbing: 'project.update',
  previewScrubbing: reads,
  createQuota: 'quota.create',
  updateQuota: 'quota.update',
  deleteQuota: 'quota.delete',
  updateQuotaSettings: 'organization.update',
  previewRetention: reads,
  updateRetention: 'retention.update',
  previewProjectRetention: reads,
  updateProjectRetention: 'project.retention',
  updateFilter: 'project.update',
  previewFilters: reads,
  updateSignInPolicy: 'organization.update',
  beginTwoFactor: { not: 'Nothing is on until a code of it is confirmed.' },
  beginPasskey: { not: 'Nothing is added until the browser has created it.' },
  addPasskey: 'user.add_passkey',
  renamePasskey: 'user.rename_passkey',
  removePasskey: 'user.remove_passkey',
  removePassword: 'user.remove_password',
  confirmTwoFactor: 'user.two_factor_on',
  showFactor: 'user.show_factor',
  renewRecoveryCodes: 'user.renew_recovery_codes',
  endTwoFactor: 'user.two_factor_off',
  createScimToken: 'token.create',
  deleteScimToken: 'token.delete',

  listAuditEntries: 'audit_log.read',
  exportAuditEntries: 'audit_log.export',
  updateAuditLog: 'audit_log.update',
};

/** What a call does unless its handler says something else. */
export function usualAction(endpointId: string): Action | undefined {
  const entry = audited[endpointId];
  return typeof entry === 'string' ? entry : undefined;
}
