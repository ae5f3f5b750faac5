/** Reads what users say from the items that carry it: those of the feedback widget, and the older reports of crash dialogs. */
import { createHash } from 'node:crypto';
import { parseEventId } from '@culprit/envelope';
import type { ItemRow } from '../../base/tables/items.ts';
import type { FeedbackDetails, ReportedFeedback } from './types.ts';

/** Item types that carry it. */
export const feedbackItems: ReadonlySet<string> = new Set(['feedback', 'user_report']);

const limits = { message: 4096, name: 128, email: 254, url: 2048, short: 200 } as const;
const maxTags = 50;

/** `text` is the payload as it is kept, scrubbed. Undefined for what says nothing. */
export function readFeedback(row: ItemRow, text: string): ReportedFeedback | undefined {
  const payload = parseObject(text);
  if (!payload) return undefined;
  const feedback = row.item_type === 'feedback' ? readForm(row, payload) : readReport(row, payload);
  return feedback.message === '' ? undefined : feedback;
}

function readForm(row: ItemRow, payload: Bag): ReportedFeedback {
  const contexts = bag(payload['contexts']);
  const form = bag(contexts['feedback']);
  const url = textOf(form['url'], limits.url) || textOf(bag(payload['request'])['url'], limits.url);
  return {
    ...common(row, payload),
    kind: 'feedback',
    feedbackId: row.event_id || idOf(payload['event_id']) || madeId(row),
    message: textOf(form['message'], limits.message),
    name: line(form['name'], limits.name),
    email: line(form['contact_email'], limits.email),
    url,
    source: line(form['source'], limits.short),
    eventId: idOf(form['associated_event_id']),
    replayId: idOf(form['replay_id']) || idOf(bag(contexts['replay'])['replay_id']),
    traceId: idOf(bag(contexts['trace'])['trace_id']),
    details: detailsOf(payload, contexts),
  };
}

function readReport(row: ItemRow, payload: Bag): ReportedFeedback {
  const eventId = idOf(payload['event_id']) || row.event_id;
  return {
    ...common(row, payload),
    kind: 'user_report',
    feedbackId: eventId || madeId(row),
    message: textOf(payload['comments'], limits.message),
    name: line(payload['name'], limits.name),
    email: line(payload['email'], limits.email),
    url: '',
    source: 'crash dialog',
    eventId,
    replayId: '',
    traceId: '',
    details: {},
  };
}

type Bag = Readonly<Record<string, unknown>>;

const common = (row: ItemRow, payload: Bag) => ({
  projectId: row.project_id,
  release: line(payload['release'], limits.short),
  environment: line(payload['environment'], limits.short),
  createdAt: timeOf(payload['timestamp'], row.received_at),
  receivedAt: row.received_at,
});

function detailsOf(payload: Bag, contexts: Bag): FeedbackDetails {
  const named = (of: unknown): string => {
    const { name, version } = bag(of);
    return [line(name, limits.short), line(version, limits.short)].filter(Boolean).join(' ');
  };
  const user = bag(payload['user']);
  const who = ['username', 'email', 'id', 'ip_address'].map((key) => line(user[key], limits.short)).find(Boolean);
  const [browser, os] = [named(contexts['browser']), named(contexts['os'])];
  const tags = Object.entries(bag(payload['tags']))
    .slice(0, maxTags)
    .map(([key, value]) => [line(key, limits.short), line(value, limits.short)] as const)
    .filter(([key, value]) => key !== '' && value !== '' && key !== '__proto__');
  return {
    ...(who && { user: who }),
    ...(browser && { browser }),
    ...(os && { os }),
    ...(tags.length && { tags: Object.fromEntries(tags) }),
  };
}

function parseObject(text: string): Bag | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBag(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);
const bag = (value: unknown): Bag => (isBag(value) ? value : {});

const textOf = (value: unknown, most: number): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim().slice(0, most).toWellFormed()
    : '';

/** On one line. */
const line = (value: unknown, most: number): string => textOf(value, most).replaceAll(/\s+/g, ' ');

const idOf = (value: unknown): string => parseEventId(value) ?? '';

/** Of the widest clock that is believed: a day ahead, 30 days behind. */
function timeOf(value: unknown, receivedAt: number): number {
  const at = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return at <= receivedAt + 60_000 && at > receivedAt - 30 * 86_400_000 ? Math.floor(at) : receivedAt;
}

/** The same each time that its batch is run. */
const madeId = (row: ItemRow): string =>
  createHash('sha256')
    .update(JSON.stringify([row.project_id, row.received_at, row.payload, row.blob_key]))
    .digest('hex')
    .slice(0, 32);
