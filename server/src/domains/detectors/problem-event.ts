/** A problem as an event of an issue: its row, its group, what a new issue starts with. */
import { hash } from 'node:crypto';
import type { WholeErrorRow } from '../../base/tables/errors.ts';
import { stackColumns } from '../../process/items/event/stack-columns.ts';
import { textsNumber } from '../../process/items/event/texts.ts';
import { factsText } from '../../process/steps/facts.ts';
import type { Grouping, IssueSeed } from '../../process/types.ts';
import { because } from '../../base/texts/grouping.ts';
import { facts } from '../../base/texts/detectors.ts';
import type { Problem } from './problem.ts';
import { problemTypes } from '../../base/problems/types.ts';
import type { StoredSegment } from './read-segments.ts';
import { durationUs, type SegmentSpan } from './segment.ts';

/** Names how groups are made, beside the versions of errors. */
const groupingVersion = 'performance:1';
const maxText = 2_000;

export interface ProblemEvent {
  readonly row: WholeErrorRow;
  readonly grouping: Grouping;
  readonly seed: IssueSeed;
}

/** `now` is ms since the epoch. The id follows from what it is about: whoever finds it again makes the same event. */
export function toProblemEvent(problem: Problem, { segment, origin }: StoredSegment, now: number): ProblemEvent {
  const { projectId, traceId, segmentId } = origin;
  const { type, title } = problemTypes[problem.detector];
  const groupHash = digest([type, ...problem.fingerprint]);
  const eventId = digest([String(projectId), traceId, segmentId, type, ...problem.fingerprint]);
  const subtitle = cut(problem.subtitle);
  const { transaction, platform, sdkName } = segment;
  const [offender] = problem.offenders;
  const user = userOf(origin.user);
  const tags = tagsOf(segment.root, origin.service);
  const common = { platform, transaction, environment: origin.environment, release: origin.release, dist: origin.dist };
  const payload = {
    event_id: eventId,
    type: 'transaction',
    level: 'info',
    timestamp: origin.endMs / 1_000,
    received: now / 1_000,
    ...common,
    tags: Object.entries(tags),
    user:
      user.id || user.email || user.username || user.ip ? { ...user, ip: undefined, ip_address: user.ip } : undefined,
    request: requestOf(segment.root),
    contexts: {
      trace: { type: 'trace', trace_id: traceId, span_id: segmentId, op: segment.root?.op ?? '' },
    },
    sdk: { name: sdkName, version: origin.sdkVersion },
    occurrence: occurrenceOf(problem, { segment, origin }, now),
  };
  const row = {
    project_id: projectId,
    group_hash: groupHash,
    group_hashes: [groupHash],
    grouping_version: groupingVersion,
    timestamp: origin.endMs,
    received_at: now,
    event_id: eventId,
    level: 'info',
    ...common,
    title,
    culprit: transaction,
    message: subtitle,
    error_type: '',
    error_value: '',
    issue_type: type,
    handled: null,
    mechanism: '',
    user: origin.user,
    user_id: user.id ?? '',
    user_email: user.email ?? '',
    user_username: user.username ?? '',
    user_ip: user.ip ?? '',
    digest: '',
    trace_id: traceId,
    span_id: offender?.id ?? '',
    sdk_name: sdkName,
    sdk_version: origin.sdkVersion,
    tags,
    missing_scripts: [],
    ...stackColumns({}),
    payload: JSON.stringify(payload),
    facts: factsText(payload),
  };
  return {
    row: { ...row, texts: textsNumber(row) },
    grouping: {
      version: groupingVersion,
      hashes: [groupHash],
      basis: 'performance',
      tree: [
        {
          id: 'performance',
          name: title,
          contributes: true,
          why: because.sameProblem,
          children: problem.fingerprint.map((value) => ({
            id: 'part',
            name: 'part',
            contributes: true,
            value: cut(value),
          })),
        },
      ],
    },
    seed: {
      title,
      culprit: transaction,
      level: 'info',
      platform,
      type,
      metadata: { title, value: subtitle, type, transaction },
    },
  };
}

const digest = (parts: readonly string[]): string => hash('sha256', parts.join('\n'), 'hex').slice(0, 32);

const cut = (text: string): string => text.slice(0, maxText).toWellFormed();

function occurrenceOf(problem: Problem, { segment, origin }: StoredSegment, now: number) {
  const { type, title } = problemTypes[problem.detector];
  const { offenders, causes = [], parents = [], op } = problem;
  const parent = parents[0];
  const { total } = segment;
  const examined = segment.spans.length + (segment.root ? 1 : 0);
  const remark = examined < total ? facts.examined(examined, total) : undefined;
  const display = [
    { name: facts.transaction, value: segment.transaction },
    ...(parent ? [{ name: facts.parentSpan, value: spanText(parent) }] : []),
    ...(problem.facts ?? []),
    ...(remark === undefined ? [] : [{ name: facts.remark, value: remark }]),
  ];
  return {
    type,
    title,
    subtitle: cut(problem.subtitle),
    level: 'info',
    evidenceDisplay: [
      {
        name: offenders.length === 1 ? facts.offendingSpan : facts.offendingSpans,
        value: `${op} - ${cut(problem.subtitle)}`,
        important: true,
      },
      ...display.map(({ name, value }) => ({ name, value: cut(value), important: false })),
    ],
    evidenceData: {
      transaction: segment.transaction,
      op,
      traceId: origin.traceId,
      segmentId: origin.segmentId,
      parentSpanIds: idsOf(parents),
      causeSpanIds: idsOf(causes),
      offenderSpanIds: idsOf(offenders),
      repeatingSpans: null,
      ...problem.data,
      offenderDurationMs: offenders.reduce((sum, span) => sum + durationUs(span), 0) / 1_000,
      ...(remark !== undefined && { remark }),
    },
    detectionTime: new Date(now).toISOString(),
  };
}

const idsOf = (spans: readonly SegmentSpan[]): string[] => spans.map(({ id }) => id);

const spanText = ({ op, name }: SegmentSpan): string => (op === '' ? name : `${op} - ${name}`);

const userFields: Readonly<Record<string, 'id' | 'email' | 'username' | 'ip'>> = {
  id: 'id',
  email: 'email',
  username: 'username',
  ip: 'ip',
};

/** `id:1` in its parts. */
function userOf(user: string): { id?: string; email?: string; username?: string; ip?: string } {
  const colon = user.indexOf(':');
  const field = colon < 0 ? undefined : userFields[user.slice(0, colon)];
  return field ? { [field]: user.slice(colon + 1) } : {};
}

const tagNames = ['browser.name', 'os.name', 'device.family'] as const;

function tagsOf(root: SegmentSpan | undefined, service: string): Record<string, string> {
  const { attributes = {} } = root ?? {};
  const url = attributes['url.full']?.split(/[?#]/, 1)[0];
  const host = attributes['host.name'] ?? service;
  return {
    ...Object.fromEntries(
      tagNames.flatMap((name) => (attributes[name] ? [[name, attributes[name].slice(0, 200)]] : [])),
    ),
    ...(url && { url: url.slice(0, 200) }),
    ...(host && { server_name: host }),
  };
}

function requestOf(root: SegmentSpan | undefined): { url: string; method: string | undefined } | undefined {
  const { attributes = {} } = root ?? {};
  const url = attributes['url.full']?.split(/[?#]/, 1)[0];
  return url ? { url, method: attributes['http.request.method'] } : undefined;
}
