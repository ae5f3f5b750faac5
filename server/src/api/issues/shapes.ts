/** Issues as Sentry's API gives them. */
import type { z } from 'zod';
import type {
  IssueActivity,
  IssueLimit,
  IssueRow,
  CountEstimate,
  IssueTotals,
  IssueWork,
  ListedIssue,
  ListedTagValue,
  PersonRef,
  SoFar,
  TagsOfIssue,
  Unstored,
} from '../../domains/issues/index.ts';
import { performanceIssueTypes } from '../../domains/detectors/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { type ReleaseRow, shortVersion } from '../../domains/releases/index.ts';
import { seriesOf, type TimeRange } from '../../base/time-range.ts';
import type { Assignee, SubscriptionDetails } from './change-schemas.ts';
import type * as parts from './parts-contract.ts';
import type { Activity, Issue, IssueDetail } from './contract.ts';
import { webLink } from '../shared/web-address.ts';
import { statusDetailsShown, statusShown, substatusShown } from './status-shapes.ts';
import { iso } from '../shared/read.ts';

export { statusShown, substatusShown };

export interface IssuePlace {
  readonly project: Pick<Project, 'id' | 'slug' | 'name' | 'platform' | 'shortIdPrefix'>;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

export const shortIdOf = (issue: Pick<IssueRow, 'number'>, project: Pick<Project, 'shortIdPrefix'>): string =>
  `${project.shortIdPrefix}-${issue.number}`;

export const categoryOf = ({ type }: Pick<IssueRow, 'type'>): 'performance' | 'error' =>
  performanceIssueTypes.has(type) ? 'performance' : 'error';

export const permalinkOf = (issue: IssueRow, { project, baseUrl }: IssuePlace): string =>
  `${baseUrl}/issues/${encodeURIComponent(shortIdOf(issue, project))}`;

export const assigneeShown = (assignee: IssueWork['assignee']): z.output<typeof Assignee> | null =>
  assignee && {
    type: assignee.kind,
    id: String(assignee.id),
    name: assignee.name,
    ...(assignee.kind === 'user' && { email: assignee.email }),
  };

const subscriptionShown = (subscription: IssueWork['subscription']): z.output<typeof SubscriptionDetails> | null =>
  subscription && (subscription.isActive ? { reason: subscription.reason } : { disabled: true });

function commonFields(issue: IssueRow, place: IssuePlace, work: IssueWork | undefined) {
  const { project } = place;
  const isProblem = categoryOf(issue) === 'performance';
  const { logger, ...metadata } = issue.metadata;
  return {
    id: String(issue.id),
    shortId: shortIdOf(issue, project),
    title: issue.title,
    culprit: issue.culprit,
    permalink: permalinkOf(issue, place),
    level: issue.level,
    status: statusShown(issue.status),
    substatus: substatusShown(issue),
    statusDetails: statusDetailsShown(issue, work?.statusBy ?? null),
    platform: issue.platform,
    type: isProblem ? 'transaction' : issue.type,
    issueType: isProblem ? issue.type : 'error',
    issueCategory: categoryOf(issue),
    metadata,
    project: { id: String(project.id), slug: project.slug, name: project.name, platform: project.platform || null },
    priority: issue.priority,
    isPublic: work !== undefined && work.shareId !== null,
    isBookmarked: work?.isBookmarked ?? false,
    isSubscribed: work?.subscription?.isActive ?? false,
    hasSeen: work?.hasSeen ?? false,
    numComments: work?.comments ?? 0,
    assignedTo: assigneeShown(work?.assignee ?? null),
    logger: logger ?? null,
    annotations: [],
    shareId: work?.shareId ?? null,
    subscriptionDetails: subscriptionShown(work?.subscription ?? null),
  };
}

interface Counters {
  readonly count: number;
  readonly userCount: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

const counters = ({ count, userCount, firstSeen, lastSeen }: Counters) => ({
  count: String(count),
  userCount,
  firstSeen: iso(firstSeen),
  lastSeen: iso(lastSeen),
});

export function toIssue(
  issue: ListedIssue,
  place: IssuePlace,
  seriesRange: TimeRange,
  work: IssueWork | undefined,
): z.output<typeof Issue> {
  // Of the issue, whatever is asked for, and whatever retention has deleted since.
  const { numbers, firstSeen } = issue;
  return {
    ...commonFields(issue, place, work),
    ...counters({ ...numbers, firstSeen }),
    estimated: issue.estimate ?? null,
    isUnhandled: numbers.unhandled,
    lifetime: counters({ ...numbers.lifetime, firstSeen }),
    stats: { [seriesRange.label]: seriesOf(seriesRange, numbers.series) },
  };
}

/** Of entries that Sentry has another name for. */
const activityNames: ReadonlyMap<string, string> = new Map([
  ['set_archived', 'set_ignored'],
  ['set_resolved_by_commit', 'set_resolved_in_commit'],
  ['set_ongoing', 'auto_set_ongoing'],
]);

const activityShown = ({ type, user }: IssueActivity): string =>
  type === 'set_ongoing' && user ? 'mark_reviewed' : (activityNames.get(type) ?? type);

export const toActivity = (
  entry: IssueActivity,
  { firstSeen }: Pick<IssueRow, 'firstSeen'>,
): z.output<typeof Activity> => ({
  id: String(entry.id),
  type: activityShown(entry),
  user: entry.user,
  data: { ...entry.data },
  // An entry is made when the issue is stored, which may be after its first event, and before an earlier one came.
  dateCreated: iso(entry.type === 'first_seen' ? firstSeen : entry.createdAt),
});

export function toIssueDetail(
  issue: IssueRow,
  place: IssuePlace,
  facts: {
    readonly totals: IssueTotals;
    readonly lifetime: Omit<Counters, 'firstSeen'>;
    readonly estimate: CountEstimate | undefined;
    readonly unstored: readonly Unstored[];
    readonly limit: IssueLimit;
    readonly activity: readonly IssueActivity[];
    readonly tags: readonly { readonly key: string; readonly total: number }[];
    readonly hashCount: number;
    readonly work: IssueWork | undefined;
    readonly seenBy: readonly (PersonRef & { readonly seenAt: number })[];
    readonly participants: readonly PersonRef[];
    /** What was asked for, where it was merged into this one. */
    readonly mergedFrom?: { readonly id: string; readonly shortId: string; readonly title: string } | undefined;
    /** Of an issue that is archived until so many events or users. */
    readonly soFar: SoFar | undefined;
    /** Of all that users said of it. */
    readonly feedback: number;
    /** Those of the issue that are known, by version. */
    readonly releases: ReadonlyMap<string, ReleaseRow>;
  },
): z.output<typeof IssueDetail> {
  const { totals } = facts;
  const release = (version: string | null) => {
    const known = version === null ? undefined : facts.releases.get(version);
    return version === null
      ? null
      : {
          version,
          shortVersion: shortVersion(version),
          status: known?.status ?? 'open',
          url: webLink(known?.url ?? ''),
          dateCreated: known ? iso(known.createdAt) : null,
          dateReleased: known && known.dateReleased !== null ? iso(known.dateReleased) : null,
        };
  };
  return {
    ...commonFields(issue, place, facts.work),
    statusDetails: statusDetailsShown(issue, facts.work?.statusBy ?? null, facts.soFar),
    ...counters({ ...totals, firstSeen: issue.firstSeen }),
    storedCount: totals.stored,
    eventLimit: facts.limit.limit,
    waitingEvents: facts.limit.waiting && {
      count: facts.limit.waiting.events,
      since: iso(facts.limit.waiting.since),
    },
    estimated: facts.estimate
      ? {
          ...facts.estimate,
          reasons: facts.unstored.map(({ reason, count }) => ({ reason, count: count ?? null })),
        }
      : null,
    isUnhandled: totals.unhandled,
    lifetime: counters({ ...facts.lifetime, firstSeen: issue.firstSeen, lastSeen: issue.lastSeen }),
    stats: { '24h': seriesOf(totals.dayRange, totals.day), '30d': seriesOf(totals.monthRange, totals.month) },
    tags: facts.tags.map(({ key, total }) => ({ key, name: key, totalValues: total })),
    firstRelease: release(issue.firstRelease),
    lastRelease: release(issue.lastRelease),
    activity: facts.activity.map((entry) => toActivity(entry, issue)),
    hashCount: facts.hashCount,
    mergedFrom: facts.mergedFrom ?? null,
    userReportCount: facts.feedback,
    seenBy: facts.seenBy.map(({ id, name, email, seenAt }) => ({ id, name, email, lastSeen: iso(seenAt) })),
    participants: facts.participants.map(({ id, name, email }) => ({ type: 'user' as const, id, name, email })),
    pluginActions: [],
    pluginIssues: [],
    pluginContexts: [],
  };
}

export const toTagList = ({ tags, events, sampled }: TagsOfIssue): z.output<typeof parts.Tag>[] =>
  tags.map(({ key, total, unique, values }) => ({
    key,
    name: key,
    totalValues: total,
    uniqueValues: unique,
    topValues: values.map((one) => ({
      value: one.value,
      name: one.value,
      count: one.count,
      estimated: one.estimate ?? null,
      share: one.count / total,
      firstSeen: iso(one.firstSeen),
      lastSeen: iso(one.lastSeen),
    })),
    events,
    sampled,
  }));

/** `total`: events that carry the tag. */
export const toTagValue = (
  { value, count, estimate, firstSeen, lastSeen, person }: ListedTagValue,
  key: string,
  total: number,
): z.output<typeof parts.listIssueTagValues.response>[number] => ({
  key,
  value,
  name: (person && (person.email || person.username || person.id || person.ip)) || value,
  count,
  estimated: estimate ?? null,
  share: count / total,
  firstSeen: iso(firstSeen),
  lastSeen: iso(lastSeen),
  ...(person && {
    ...(person.id && { id: person.id }),
    ...(person.email && { email: person.email }),
    ...(person.username && { username: person.username }),
    ...(person.ip && { ipAddress: person.ip }),
  }),
});
