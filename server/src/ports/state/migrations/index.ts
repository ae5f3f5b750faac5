import { accounts } from './0001-accounts.ts';
import { projects } from './0002-projects.ts';
import { issues } from './0003-issues.ts';
import { twins } from './0004-twins.ts';
import { digestWatches } from './0005-digest-watches.ts';
import { artifacts } from './0006-artifacts.ts';
import { releases } from './0007-releases.ts';
import { symbolication } from './0008-symbolication.ts';
import { performance } from './0009-performance.ts';
import { firstSpan } from './0010-first-span.ts';
import { grouping } from './0011-grouping.ts';
import { searches } from './0012-searches.ts';
import { explore } from './0013-explore.ts';
import { merges } from './0014-merges.ts';
import { issueWords } from './0015-issue-words.ts';
import { states } from './0016-states.ts';
import { work } from './0017-work.ts';
import { teams } from './0018-teams.ts';
import { alerts } from './0019-alerts.ts';
import { notify } from './0020-notify.ts';
import { feedback } from './0021-feedback.ts';
import { tokenExpiry } from './0022-token-expiry.ts';
import { blobQuota } from './0023-blob-quota.ts';
import { sessionHashes } from './0024-session-hashes.ts';
import { limits } from './0026-limits.ts';
import { mailOptOuts } from './0027-mail-opt-outs.ts';
import { jobs } from './0028-jobs.ts';
import { claims } from './0029-claims.ts';
import { auditLog } from './0030-audit-log.ts';
import { access } from './0031-access.ts';
import { ownAccounts } from './0032-own-accounts.ts';
import { factors } from './0033-factors.ts';
import { signInProviders } from './0034-sign-in-providers.ts';
import { samlAnswers } from './0035-saml-answers.ts';
import { scim } from './0036-scim.ts';
import { switches } from './0037-switches.ts';
import { debugFiles } from './0038-debug-files.ts';
import { backups } from './0039-backups.ts';
import { deletions } from './0040-deletions.ts';
import { nodes } from './0041-nodes.ts';
import { projectAliases } from './0042-project-aliases.ts';
import { imports } from './0043-imports.ts';
import { mirrors } from './0044-mirrors.ts';
import { disk } from './0045-disk.ts';
import { sharedLimits } from './0046-shared-limits.ts';
import { previews } from './0053-previews.ts';
import { scrubbing } from './0054-scrubbing.ts';
import { quotas } from './0055-quotas.ts';
import { erasures } from './0057-erasures.ts';
import { holds } from './0058-holds.ts';
import { oauth } from './0059-oauth.ts';
import { retention } from './0062-retention.ts';
import { costs } from './0063-costs.ts';
import { webhooks } from './0064-webhooks.ts';
import { incoming } from './0065-incoming.ts';
import { retentionPolicies } from './0067-retention-policies.ts';
import { slack } from './0068-slack.ts';
import { sampled } from './0069-sampled.ts';
import { issueLimits } from './0070-issue-limits.ts';
import { issueLimitBatchTimes } from './0071-issue-limit-batch-times.ts';
import { sampledErrors } from './0072-sampled-errors.ts';
import { limitedProjects } from './0073-limited-projects.ts';
import type { Migration } from './migration.ts';

/** In the order of application. */
export const migrations: readonly Migration[] = [
  accounts,
  projects,
  issues,
  twins,
  digestWatches,
  artifacts,
  releases,
  symbolication,
  performance,
  firstSpan,
  grouping,
  searches,
  explore,
  merges,
  issueWords,
  states,
  work,
  teams,
  alerts,
  notify,
  feedback,
  tokenExpiry,
  blobQuota,
  sessionHashes,
  limits,
  mailOptOuts,
  jobs,
  claims,
  auditLog,
  access,
  ownAccounts,
  factors,
  signInProviders,
  samlAnswers,
  scim,
  switches,
  debugFiles,
  backups,
  deletions,
  nodes,
  projectAliases,
  imports,
  mirrors,
  disk,
  sharedLimits,
  previews,
  scrubbing,
  quotas,
  erasures,
  holds,
  oauth,
  retention,
  costs,
  webhooks,
  incoming,
  retentionPolicies,
  slack,
  sampled,
  issueLimits,
  issueLimitBatchTimes,
  sampledErrors,
  limitedProjects,
];
