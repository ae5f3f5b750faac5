/** Issues as Sentry's API gives them. */
import type { z } from 'zod';
import type { IssueActivity, IssueRow, IssueTotals, ListedIssue, TagsOfIssue } from '../../issues/index.ts';
import { performanceIssueTypes } from '../../performance/index.ts';
import type { Project } from '../../projects/index.ts';
import type { ReleaseRow } from '../../releases/index.ts';
import { seriesOf, type TimeRange } from '../../search/index.ts';
import type { Tag } from '../contract/issue-parts.ts';
import type { Issue, IssueDetail } from '../contract/issues.ts';
import { shortVersion } from './event.ts';
import { iso } from './read.ts';

export interface IssuePlace {
  readonly project: Pick<Project, 'id' | 'slug' | 'name' | 'platform' | 'shortIdPrefix'>;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

export const shortIdOf = (issue: Pick<IssueRow, 'number'>, project: Pick<Project, 'shortIdPrefix'>): string =>
  `${project.shortIdPrefix}-${issue.number}`;

export const permalinkOf = (issue: IssueRow, { project, baseUrl }: IssuePlace): string =>
  `${baseUrl}/issues/${encodeURIComponent(shortIdOf(issue, project))}`;

/** Sentry's clients say `ignored` for what people call archived. */
export const statusShown = (status: IssueRow['status']): 'unresolved' | 'resolved' | 'ignored' =>
  status === 'archived' ? 'ignored' : status;

export const substatusShown = (issue: Pick<IssueRow, 'status' | 'substatus'>): string | null =>
  issue.status === 'archived' ? 'archived_forever' : issue.substatus;

function commonFields(issue: IssueRow, place: IssuePlace) {
  const { project } = place;
  const isProblem = performanceIssueTypes.has(issue.type);
  return {
    id: String(issue.id),
    shortId: shortIdOf(issue, project),
    title: issue.title,
    culprit: issue.culprit,
    permalink: permalinkOf(issue, place),
    level: issue.level,
    status: statusShown(issue.status),
    substatus: substatusShown(issue),
    statusDetails: {},
    platform: issue.platform,
    type: isProblem ? 'transaction' : issue.type,
    issueType: isProblem ? issue.type : 'error',
    issueCategory: isProblem ? ('performance' as const) : ('error' as const),
    metadata: { ...issue.metadata },
    project: { id: String(project.id), slug: project.slug, name: project.name, platform: project.platform || null },
    isPublic: false,
    isBookmarked: false,
    isSubscribed: false,
    hasSeen: true,
    numComments: 0,
    assignedTo: null,
    logger: null,
    annotations: [],
    shareId: null,
    subscriptionDetails: null,
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

export function toIssue(issue: ListedIssue, place: IssuePlace, seriesRange: TimeRange): z.output<typeof Issue> {
  const { numbers } = issue;
  return {
    ...commonFields(issue, place),
    ...counters(numbers),
    isUnhandled: numbers.unhandled,
    // What retention has deleted was seen all the same.
    lifetime: counters({ ...numbers.lifetime, firstSeen: Math.min(issue.firstSeen, numbers.lifetime.firstSeen) }),
    stats: { [seriesRange.label]: seriesOf(seriesRange, numbers.series) },
  };
}

export function toIssueDetail(
  issue: IssueRow,
  place: IssuePlace,
  facts: {
    readonly totals: IssueTotals;
    readonly lifetime: Counters;
    readonly activity: readonly IssueActivity[];
    readonly tags: readonly { readonly key: string; readonly total: number }[];
    readonly hashCount: number;
    /** What was asked for, where it was merged into this one. */
    readonly mergedFrom?: { readonly id: string; readonly shortId: string; readonly title: string } | undefined;
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
          url: known?.url ?? null,
          dateCreated: known ? iso(known.createdAt) : null,
          dateReleased: known && known.dateReleased !== null ? iso(known.dateReleased) : null,
        };
  };
  return {
    ...commonFields(issue, place),
    ...counters(totals),
    isUnhandled: totals.unhandled,
    lifetime: counters({ ...facts.lifetime, firstSeen: issue.firstSeen, lastSeen: issue.lastSeen }),
    stats: { '24h': seriesOf(totals.dayRange, totals.day), '30d': seriesOf(totals.monthRange, totals.month) },
    tags: facts.tags.map(({ key, total }) => ({ key, name: key, totalValues: total })),
    firstRelease: release(issue.firstRelease),
    lastRelease: release(issue.lastRelease),
    activity: facts.activity.map((entry) => ({
      id: String(entry.id),
      type: entry.type === 'set_archived' ? 'set_ignored' : entry.type,
      user: entry.user,
      data: { ...entry.data },
      dateCreated: iso(entry.createdAt),
    })),
    hashCount: facts.hashCount,
    mergedFrom: facts.mergedFrom ?? null,
    userReportCount: 0,
    seenBy: [],
    participants: [],
    pluginActions: [],
    pluginIssues: [],
    pluginContexts: [],
  };
}

export const toTagList = ({ tags, events, sampled }: TagsOfIssue): z.output<typeof Tag>[] =>
  tags.map(({ key, total, unique, values }) => ({
    key,
    name: key,
    totalValues: total,
    uniqueValues: unique,
    topValues: values.map((one) => ({
      value: one.value,
      name: one.value,
      count: one.count,
      share: one.count / total,
      firstSeen: iso(one.firstSeen),
      lastSeen: iso(one.lastSeen),
    })),
    events,
    sampled,
  }));
