/**
 * What Sentry's clients ask for that Culprit does not have: they hear so in a sentence, not that an address is unknown. The
 * list may only shrink (`absent.test.ts`).
 */
import { absent as texts } from '../base/texts/absent.ts';

const org = '/organizations/[^/]+';
const project = '/projects/[^/]+/[^/]+';

/** By what follows `/api/0`; with methods, where others of the address are answered. */
export const absent: readonly (readonly [path: string, what: string, methods?: readonly string[]])[] = [
  [`${org}/(?:replays|replay-count|replay-selectors)(?:/|$)`, texts.replays],
  [`${project}/replays/`, texts.replays],
  [`(?:${org}|${project})/profiling/`, texts.profiles],
  [`(?:${org}|${project})/monitors/[^/]+/`, texts.monitors],
  [`${org}/monitors/`, texts.monitors, ['POST']],
  [`(?:${org}|${project})/(?:uptime|uptime-[^/]+)/`, texts.uptime],
  [`${org}/dashboards/`, texts.dashboards],
  [`(?:${org})?/issues/[^/]+/(?:autofix|solution|summarize|autofix-[^/]+)/`, texts.seer],
  [`(?:${org}|${project})?/(?:seer|autofix)/`, texts.seer],
  [`${org}/(?:preprodartifacts|snapshots)/`, texts.builds],
  [`${project}/(?:files/preprodartifacts|preprodartifacts|preprod|snapshots)/`, texts.builds],
  [`${org}/(?:agents|ai-conversations)/`, texts.conversations],
  [`${org}/onboarding/`, texts.onboarding],
  [`(?:${org}|${org}/issues/[^/]+|/issues/[^/]+|${project})/integrations/`, texts.integrations],
  [`(?:${org})?/sentry-app(?:s|-[^/]+)/`, texts.integrations],
  [`${org}/config/integrations/`, texts.integrations],
  [`(?:${org}|/teams/[^/]+/[^/]+)/external-(?:users|teams)/`, texts.integrations],
  [`${org}/(?:spike-protections|notifications/actions)/`, texts.spikes],
  [`${org}/forwarding/`, texts.forwarding],
  [`${project}/hooks/`, texts.hooks],
  [`${org}/relay_usage/`, texts.relays],
  [`${org}/release-threshold(?:s|-statuses)/`, texts.thresholds],
  [`${project}/symbol-sources/`, texts.symbols],
  [`${org}/discover/saved/`, texts.discover],
  [`${org}/trace-items/stats/`, texts.distributions],
  [`${project}/events/[^/]+/source-map-debug/`, texts.mapCheck],
  [`(?:${org}|${project})/releases/[^/]+/files/[^/]+/`, texts.releaseFiles],
  [`(?:${org}|${project})/releases/[^/]+/files/`, texts.releaseFiles, ['POST']],
  [`${project}/users/`, texts.users],
  [`${project}/repo/`, texts.repositoryLinks],
  [`${project}/environments/`, texts.hiding, ['PUT']],
  [`${org}/members/[^/]+/teams/[^/]+/`, texts.teamRoles, ['PUT']],
  [`${project}/user-feedback/`, texts.reports, ['POST']],
  [`${org}/scim/v2/`, texts.scim],
  [`${org}/issues/[^/]+/external-issues/[^/]+/`, texts.integrations],
  [`${org}/starred-service-spans/`, texts.starred],
  [`${project}/custom-inbound-filters/`, texts.customFilters],
  [`${org}/codeowners-associations/`, texts.codeowners],
  [`${project}/codeowners/[^/]+/`, texts.codeowners, ['GET']],
  [`${org}/flags/logs/`, texts.flags],
  [`${org}/group-search-views/`, texts.views],
  [`${org}/trace-items/metrics/`, texts.metrics],
  [`${project}/code-mapping-prefixes/`, texts.prefixes],
  [`${project}/releases/completion/`, texts.checklists],
  [`${org}/repos/settings/`, texts.codeReview, ['PUT']],
  [`/(?:customers|subscriptions)/`, texts.plans],
];

const patterns = absent.map(([path, what, methods]) => ({ pattern: new RegExp(`^/api/0${path}`), what, methods }));

/** What is not there, for an address of Sentry's API; undefined for all others. */
export const absentAt = (path: string, method: string): string | undefined =>
  patterns.find(({ pattern, methods }) => pattern.test(path) && (!methods || methods.includes(method)))?.what;
