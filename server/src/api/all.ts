/** The resources of the API: what lies beside this file. Written by scripts/lists.ts. */
import { account } from './account/index.ts';
import { alerts } from './alerts/index.ts';
import { artifacts } from './artifacts/index.ts';
import { audit } from './audit/index.ts';
import { brief } from './brief/index.ts';
import { channels } from './channels/index.ts';
import { comments } from './comments/index.ts';
import { costs } from './costs/index.ts';
import { database } from './database/index.ts';
import { detectors } from './detectors/index.ts';
import { erasures } from './erasures/index.ts';
import { events } from './events/index.ts';
import { explore } from './explore/index.ts';
import { feedback } from './feedback/index.ts';
import { fields } from './fields/index.ts';
import { filters } from './filters/index.ts';
import { find } from './find/index.ts';
import { grouping } from './grouping/index.ts';
import { incoming } from './incoming/index.ts';
import { installation } from './installation/index.ts';
import { intake } from './intake/index.ts';
import { issues } from './issues/index.ts';
import { logs } from './logs/index.ts';
import { merge } from './merge/index.ts';
import { mirrors } from './mirrors/index.ts';
import { notifications } from './notifications/index.ts';
import { now } from './now/index.ts';
import { oauth } from './oauth/index.ts';
import { organizations } from './organizations/index.ts';
import { ownership } from './ownership/index.ts';
import { performance } from './performance/index.ts';
import { projects } from './projects/index.ts';
import { provisioning } from './provisioning/index.ts';
import { quotas } from './quotas/index.ts';
import { releases } from './releases/index.ts';
import { repositories } from './repositories/index.ts';
import { retention } from './retention/index.ts';
import { scrubbing } from './scrubbing/index.ts';
import { searches } from './searches/index.ts';
import { security } from './security/index.ts';
import { sessions } from './sessions/index.ts';
import { sharedIssue } from './shared-issue/index.ts';
import { signIn } from './sign-in/index.ts';
import { slack } from './slack/index.ts';
import { symbolication } from './symbolication/index.ts';
import { teams } from './teams/index.ts';
import { traces } from './traces/index.ts';
import { webhooks } from './webhooks/index.ts';
import type { Resource } from './shared/resource.ts';

export const resources: readonly Resource[] = [
  account,
  alerts,
  artifacts,
  audit,
  brief,
  channels,
  comments,
  costs,
  database,
  detectors,
  erasures,
  events,
  explore,
  feedback,
  fields,
  filters,
  find,
  grouping,
  incoming,
  installation,
  intake,
  issues,
  logs,
  merge,
  mirrors,
  notifications,
  now,
  oauth,
  organizations,
  ownership,
  performance,
  projects,
  provisioning,
  quotas,
  releases,
  repositories,
  retention,
  scrubbing,
  searches,
  security,
  sessions,
  sharedIssue,
  signIn,
  slack,
  symbolication,
  teams,
  traces,
  webhooks,
];
