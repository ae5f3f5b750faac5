/** Stored events as Sentry's API gives them. */
import type { z } from 'zod';
import {
  columnTagsOf,
  type EventPlace,
  type ListedEvent,
  type StoredEventWithPayload,
} from '../../domains/issues/index.ts';
import type { LinkContext } from '../../domains/repositories/index.ts';
import type { Event as NormalizedEvent } from '../../process/steps/event.ts';
import { shortVersion } from '../../domains/releases/index.ts';
import { markMissing } from '../../process/steps/symbolicate/index.ts';
import type { Event, EventSummary } from './contract.ts';
import { toEntries } from './entries.ts';
import { linkFrames } from './frames.ts';
import { placeInImages } from './images.ts';
import { iso, type Json, list, object, objects, text } from '../shared/read.ts';

type EventShape = z.output<typeof Event>;
type SummaryShape = z.output<typeof EventSummary>;

const orNull = (value: string): string | null => (value === '' ? null : value);

/** Tags as people know them: those of the SDK with what stands in columns. */
export function toTags(row: ListedEvent): { key: string; value: string }[] {
  const tags = new Map(Object.entries(row.tags));
  for (const [key, value] of columnTagsOf(row)) if (value) tags.set(key, value);
  return [...tags]
    .map(([key, value]) => ({ key, value }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function summaryFields(row: ListedEvent, issueId: number | undefined) {
  return {
    id: row.event_id,
    eventID: row.event_id,
    groupID: issueId === undefined ? null : String(issueId),
    projectID: String(row.project_id),
    'event.type': row.issue_type ? 'transaction' : row.error_type ? 'error' : 'default',
    title: row.title,
    message: row.message,
    culprit: orNull(row.culprit),
    location: null as string | null,
    platform: orNull(row.platform),
    level: row.level,
    environment: orNull(row.environment),
    traceId: orNull(row.trace_id),
    digest: orNull(row.digest),
    user: row.user
      ? {
          id: orNull(row.user_id),
          email: orNull(row.user_email),
          username: orNull(row.user_username),
          ip_address: orNull(row.user_ip),
          name: null as string | null,
          geo: null as Json | null,
          data: null as Json | null,
        }
      : null,
    tags: toTags(row),
    dateCreated: iso(row.timestamp),
  };
}

export const toEventSummary = (row: ListedEvent, issueId: number | undefined): SummaryShape => ({
  ...summaryFields(row, issueId),
  release: orNull(row.release),
});

/** Throws on a payload that is no JSON object: processing wrote none such. */
export function parsePayload(payload: string): Json {
  const event = object(JSON.parse(payload));
  if (!event) throw new TypeError('the stored event is not a JSON object');
  return event;
}

export function toEvent(
  row: StoredEventWithPayload,
  issueId: number | undefined,
  place: EventPlace | undefined,
  links?: LinkContext,
): EventShape {
  const event = parsePayload(row.payload);
  // Processing wrote it.
  markMissing(event as object as NormalizedEvent);
  const entries = toEntries(event);
  if (event['debug_meta']) placeInImages(entries, event['debug_meta']);
  if (links) linkFrames(entries, links);
  const summary = summaryFields(row, issueId);
  const user = object(event['user']);
  const location = locationOf(entries);
  const type = text(event['type']) ?? summary['event.type'];
  return {
    ...summary,
    'event.type': type,
    type,
    location,
    user: user && {
      id: text(user['id']),
      email: text(user['email']),
      username: text(user['username']),
      ip_address: text(user['ip_address']),
      name: text(user['name']),
      geo: object(user['geo']),
      data: object(user['data']),
    },
    metadata: row.error_type
      ? { type: row.error_type, value: row.error_value, ...(location ? { filename: location } : {}) }
      : { title: row.title, ...(row.issue_type && { value: row.message }) },
    entries,
    contexts: objectsByName(event['contexts']),
    context: object(event['extra']) ?? {},
    sdk: row.sdk_name ? { name: row.sdk_name, version: row.sdk_version } : null,
    release: row.release ? { version: row.release, shortVersion: shortVersion(row.release) } : null,
    dist: orNull(row.dist),
    logger: text(event['logger']),
    spanId: orNull(row.span_id),
    packages: Object.fromEntries(
      Object.entries(object(event['modules']) ?? {}).map(([name, version]) => [name, text(version) ?? '']),
    ),
    fingerprints: [...row.group_hashes],
    groupingConfig: { id: row.grouping_version },
    occurrence: row.issue_type ? occurrenceOf(event) : null,
    symbolication: symbolicationOf(entries),
    errors: objects(event['errors']),
    dateReceived: iso(row.received_at),
    size: Buffer.byteLength(row.payload),
    crashFile: null,
    userReport: null,
    _meta: metaAsShown(event, summary.tags),
    nextEventID: place?.next ?? null,
    previousEventID: place?.previous ?? null,
    position: place?.position ?? null,
    total: place?.total ?? null,
  };
}

/** As the event has it; tags by their place in the list that is shown, key and value, as Sentry has them. */
function metaAsShown(event: Json, tags: readonly { readonly key: string }[]): Json {
  const meta = object(event['_meta']) ?? {};
  const ofTags = object(meta['tags']);
  if (!ofTags) return meta;
  const places = Object.entries(ofTags).map(([index, node]): [string, unknown] => {
    const pair: unknown = list(event['tags'])[Number(index)];
    const place = Array.isArray(pair) ? tags.findIndex(({ key }) => key === pair[0]) : -1;
    const { 0: key, 1: value, ...rest }: Json = object(node) ?? {};
    if (place < 0) return [Array.isArray(pair) ? String(pair[0]) : index, node];
    return [String(place), { ...rest, ...(key !== undefined && { key }), ...(value !== undefined && { value }) }];
  });
  return { ...meta, tags: Object.fromEntries(places) };
}

/** The detectors wrote it. */
function occurrenceOf(event: Json): EventShape['occurrence'] {
  return object(event['occurrence']) as EventShape['occurrence'];
}

function symbolicationOf(entries: EventShape['entries']): EventShape['symbolication'] {
  const stacks = entries.flatMap((entry) => {
    if (entry.type === 'exception' || entry.type === 'threads') return entry.data.values.map((one) => one.stacktrace);
    return entry.type === 'stacktrace' ? [entry.data] : [];
  });
  const frames = stacks.flatMap((stack) => stack?.frames ?? []);
  return {
    mapped: frames.filter((frame) => frame.data?.['sourcemap'] !== undefined).length,
    unresolved: frames.filter((frame) => object(frame.data?.['unresolved'])?.['code'] !== undefined).length,
  };
}

const objectsByName = (value: unknown): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(object(value) ?? {}).flatMap(([key, one]) => {
      const inner = object(one);
      return inner ? [[key, inner]] : [];
    }),
  );

/** File of the newest frame of the project's own code in the outermost exception, else of its newest frame. */
function locationOf(entries: EventShape['entries']): string | null {
  const exceptions = entries.find((entry) => entry.type === 'exception')?.data.values;
  const frames = exceptions?.at(-1)?.stacktrace?.frames ?? [];
  const frame = frames.findLast((one) => one.inApp) ?? frames.at(-1);
  return frame?.filename ?? frame?.absPath ?? null;
}
