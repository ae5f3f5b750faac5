/** Every endpoint of the API by name. */
import * as alerts from './alerts.ts';
import * as artifacts from './artifacts.ts';
import * as bulk from './bulk.ts';
import * as comments from './comments.ts';
import * as channels from './channels.ts';
import * as detectors from './detectors.ts';
import * as events from './events.ts';
import * as explore from './explore.ts';
import * as exploreExport from './explore-export.ts';
import * as exploreSaved from './explore-saved.ts';
import * as excerpt from './excerpt.ts';
import * as feedback from './feedback.ts';
import * as fields from './fields.ts';
import * as find from './find.ts';
import * as grouping from './grouping.ts';
import * as installation from './installation.ts';
import * as intake from './intake.ts';
import * as issueParts from './issue-parts.ts';
import * as issues from './issues.ts';
import * as logs from './logs.ts';
import * as members from './members.ts';
import * as merge from './merge.ts';
import * as now from './now.ts';
import * as notifications from './notifications.ts';
import * as organizations from './organizations.ts';
import * as ownership from './ownership.ts';
import * as performance from './performance.ts';
import * as performanceSettings from './performance-settings.ts';
import * as projects from './projects.ts';
import * as releases from './releases.ts';
import * as repositories from './repositories.ts';
import * as ruleCheck from './rule-check.ts';
import * as similar from './similar.ts';
import * as sharedIssue from './shared-issue.ts';
import * as sessions from './sessions.ts';
import * as searches from './searches.ts';
import * as symbolication from './symbolication.ts';
import * as teams from './teams.ts';
import * as traceList from './trace-list.ts';
import * as traces from './traces.ts';
import type { Endpoint } from './endpoint.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'access' in value;

export const endpoints: readonly Endpoint[] = [
  installation,
  organizations,
  projects,
  now,
  issues,
  issueParts,
  bulk,
  sharedIssue,
  merge,
  similar,
  grouping,
  ruleCheck,
  events,
  feedback,
  find,
  intake,
  artifacts,
  releases,
  sessions,
  repositories,
  searches,
  fields,
  symbolication,
  traces,
  traceList,
  excerpt,
  performance,
  detectors,
  performanceSettings,
  logs,
  explore,
  exploreSaved,
  exploreExport,
  channels,
  notifications,
  teams,
  members,
  ownership,
  comments,
  alerts,
].flatMap((part) => Object.values(part as Record<string, unknown>).filter(isEndpoint));
