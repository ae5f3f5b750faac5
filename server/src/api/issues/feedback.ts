/** Feedback as Sentry's clients have it: an issue of the category `feedback`; its one event is made in `events/feedback.ts`. */
import type { z } from 'zod';
import { parseSearch, type SearchTerm } from '@culprit/search';
import { CodedError } from '../../base/errors.ts';
import { feedbackIssues as texts } from '../../base/texts/feedback.ts';
import { type Feedback, feedbackIssueId, feedbackShortId, type FeedbackStatus } from '../../domains/feedback/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type { Issue, IssueDetail } from './contract.ts';
import { iso } from '../shared/read.ts';
import { pageAddress } from '../shared/web-address.ts';

type IssueShape = z.output<typeof Issue>;
type DetailShape = z.output<typeof IssueDetail>;

export interface FeedbackSearch {
  readonly status: FeedbackStatus | undefined;
  readonly words: string;
  /** Slugs. */
  readonly projects: readonly string[];
}

const statuses: ReadonlyMap<string, FeedbackStatus> = new Map([
  ['unresolved', 'open'],
  ['resolved', 'resolved'],
  ['ignored', 'spam'],
  ['archived', 'spam'],
  ['spam', 'spam'],
]);

const isCategory = (term: object): boolean =>
  'name' in term && (term.name === 'issue.category' || term.name === 'category');

/** Undefined for a search of other issues. Throws `INPUT_INVALID` for what feedback is not searched by. */
export function readFeedbackSearch(query: string): FeedbackSearch | undefined {
  if (!/\bcategory:\[?"?feedback\b/.test(query)) return undefined;
  const { items } = parseSearch(query);
  if (!items.some(isCategory)) return undefined;
  const words: string[] = [];
  const projects: string[] = [];
  let status: FeedbackStatus | undefined;
  for (const item of items) {
    const written = query.slice(item.start, item.end);
    if (item.kind === 'text') words.push(item.text);
    else if (item.kind !== 'operator' && !isCategory(item)) {
      const value = item.kind === 'filter' && !item.negated ? valueOf(item) : undefined;
      const name = item.kind === 'filter' ? item.name : '';
      const known = value === undefined ? undefined : statuses.get(value);
      if ((name === 'is' || name === 'status') && known) status = known;
      else if (name === 'project' && value !== undefined) projects.push(value);
      else throw new CodedError('INPUT_INVALID', [texts.term(written)]);
    } else if (item.kind === 'operator' && item.operator === 'or') {
      throw new CodedError('INPUT_INVALID', [texts.term('OR')]);
    }
  }
  return { status, words: words.join(' '), projects };
}

const valueOf = ({ value }: Extract<SearchTerm, { kind: 'filter' }>): string | undefined =>
  value.type === 'text' ? value.text : value.type === 'list' && value.values.length === 1 ? value.values[0] : undefined;

/** Of a change of an issue: feedback has a status alone. Throws `INPUT_INVALID` for any other. */
export function readFeedbackStatus(change: Readonly<Record<string, unknown>>): FeedbackStatus {
  const other = Object.keys(change).find((key) => change[key] !== undefined && !ofStatus.has(key));
  const status = statuses.get(String(change['status']));
  if (other !== undefined || !status) throw new CodedError('INPUT_INVALID', [texts.change]);
  return status;
}

/** What clients send with a status, and what it is for issues. */
const ofStatus: ReadonlySet<string> = new Set(['status', 'substatus', 'statusDetails']);

const shownStatus = { open: 'unresolved', resolved: 'resolved', spam: 'ignored' } as const;

export interface Place {
  readonly project: Project;
  readonly baseUrl: string;
}

/** What a list, the issue and its event have alike. */
export function feedbackFacts(feedback: Feedback, { project, baseUrl }: Place) {
  const counters = { count: '1', userCount: 1, firstSeen: iso(feedback.createdAt), lastSeen: iso(feedback.createdAt) };
  const metadata: Record<string, string> = {
    title: texts.title,
    value: feedback.message,
    message: feedback.message,
    name: feedback.name,
    contact_email: feedback.email,
    source: feedback.source,
    associated_event_id: feedback.eventId,
  };
  return {
    id: feedbackIssueId(feedback.id),
    shortId: feedbackShortId(feedback, project),
    title: `${texts.title}: ${feedback.message.split('\n', 1)[0]?.slice(0, 200) ?? ''}`,
    culprit: pageAddress(feedback.url) ?? '',
    permalink: `${baseUrl}/feedback?status=all&id=${feedback.id}`,
    level: 'info',
    status: shownStatus[feedback.status],
    substatus: feedback.status === 'open' ? 'new' : feedback.status === 'spam' ? 'archived_forever' : null,
    statusDetails: {},
    platform: project.platform,
    type: 'generic',
    issueType: 'feedback',
    issueCategory: 'feedback' as const,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== '')),
    project: { id: String(project.id), slug: project.slug, name: project.name, platform: project.platform || null },
    isUnhandled: false,
    priority: 'medium' as const,
    isPublic: false,
    isBookmarked: false,
    isSubscribed: false,
    hasSeen: feedback.status !== 'open',
    numComments: 0,
    assignedTo: null,
    logger: null,
    annotations: [],
    shareId: null,
    subscriptionDetails: null,
    ...counters,
    lifetime: counters,
  };
}

export const toFeedbackIssue = (feedback: Feedback, place: Place): IssueShape => ({
  ...feedbackFacts(feedback, place),
  estimated: null,
  stats: {},
});

export const toFeedbackDetail = (feedback: Feedback, place: Place): DetailShape => ({
  ...feedbackFacts(feedback, place),
  storedCount: 1,
  eventLimit: null,
  waitingEvents: null,
  estimated: null,
  stats: { '24h': [], '30d': [] },
  tags: Object.keys(feedback.details.tags ?? {}).map((key) => ({ key, name: key, totalValues: 1 })),
  firstRelease: null,
  lastRelease: null,
  activity: [],
  hashCount: 0,
  mergedFrom: null,
  userReportCount: 0,
  seenBy: [],
  participants: [],
  pluginActions: [],
  pluginIssues: [],
  pluginContexts: [],
});
