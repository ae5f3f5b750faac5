/**
 * What Sentry's clients ask for that Culprit does not have: they hear so in a sentence, not that an address is unknown. The
 * list may only shrink (`absent.test.ts`).
 */
import { absent as texts } from '../base/texts/absent.ts';

const org = '/organizations/[^/]+';
const project = '/projects/[^/]+/[^/]+';

/** By what follows `/api/0`. */
export const absent: readonly (readonly [path: string, what: string])[] = [
  [`${org}/(?:replays|replay-count|replay-selectors)(?:/|$)`, texts.replays],
  [`${project}/replays/`, texts.replays],
  [`(?:${org}|${project})/profiling/`, texts.profiles],
  [`(?:${org}|${project})/monitors/[^/]+/`, texts.monitors],
  [`(?:${org}|${project})/(?:uptime|uptime-[^/]+)/`, texts.uptime],
  [`${org}/dashboards/`, texts.dashboards],
  [`(?:${org})?/issues/[^/]+/(?:autofix|solution|summarize|autofix-[^/]+)/`, texts.seer],
  [`${org}/(?:seer|autofix)/`, texts.seer],
  [`${org}/(?:preprodartifacts|snapshots)/`, texts.builds],
  [`${project}/(?:files/preprodartifacts|preprodartifacts|snapshots)/`, texts.builds],
  [`${org}/(?:agents|ai-conversations)/`, texts.conversations],
  [`${org}/onboarding/`, texts.onboarding],
  [`(?:${org}|${org}/issues/[^/]+|/issues/[^/]+|${project})/integrations/`, texts.integrations],
  [`${org}/sentry-apps?(?:-[^/]+)?/`, texts.integrations],
  [`/(?:customers|subscriptions)/`, texts.plans],
];

const patterns = absent.map(([path, what]) => [new RegExp(`^/api/0${path}`), what] as const);

/** What is not there, for an address of Sentry's API; undefined for all others. */
export const absentAt = (path: string): string | undefined => patterns.find(([pattern]) => pattern.test(path))?.[1];
