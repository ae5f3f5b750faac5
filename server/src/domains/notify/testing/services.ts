/**
 * Receivers of a test that check requests and answer as the documents of Microsoft Teams, Discord, PagerDuty and Opsgenie
 * say. They are the test's: nothing of this is those services.
 *
 * - Teams: learn.microsoft.com, "Create and send messages" with Workflows; a message has at most 28 KB.
 * - Discord: docs.discord.com, resources/webhook "Execute Webhook", resources/message "Embed Limits", topics/rate-limits.
 * - PagerDuty: PagerDuty/developer-docs, docs/events-API-v2: overview (answers, 512 KB) and "Send an Alert Event".
 * - Opsgenie: docs.opsgenie.com, alert-api, response (codes), api-rate-limiting.
 */
import type { HttpAnswer, ReceivedCall } from './receiver.ts';

type Json = Readonly<Record<string, unknown>>;

const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const objectsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.trim().length : 0);
const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** The workflow "Send webhook alerts to a channel". Its address carries the signature `sig`. */
export function answerAsTeams({ path, headers, body }: ReceivedCall): HttpAnswer {
  const { pathname, searchParams } = new URL(path, 'http://receiver');
  if (!pathname.startsWith('/workflows/')) {
    return json(404, { error: { code: 'WorkflowNotFound', message: 'The workflow could not be found.' } });
  }
  if (searchParams.get('sig') !== 'signature') {
    const message = "The request must be authenticated only by Shared Access scheme. Provide 'sig' in the query.";
    return json(401, { error: { code: 'DirectApiAuthorizationRequired', message } });
  }
  if (Buffer.byteLength(body) > 28 * 1024) return json(413, { error: { code: 'RequestEntityTooLarge' } });
  const [card, ...more] = objectsOf(objectIn(body)?.['attachments']);
  const content = objectOf(card?.['content']);
  const isCard =
    headers['content-type'] === 'application/json' &&
    objectIn(body)?.['type'] === 'message' &&
    more.length === 0 &&
    card?.['contentType'] === 'application/vnd.microsoft.card.adaptive' &&
    content['type'] === 'AdaptiveCard' &&
    /^1\.[0-5]$/.test(String(content['version'])) &&
    objectsOf(content['body']).length > 0 &&
    objectsOf(content['body']).every(({ type }) => type === 'RichTextBlock' || type === 'FactSet') &&
    objectsOf(content['actions']).every(({ type, url }) => type === 'Action.OpenUrl' && isWebAddress(url));
  return isCard
    ? { status: 202 }
    : json(400, {
        error: { code: 'TriggerInputSchemaMismatch', message: 'The input body does not match its schema.' },
      });
}

/** A webhook of a channel, as `Execute Webhook`. */
export function answerAsDiscord({ path, headers, body }: ReceivedCall): HttpAnswer {
  const { pathname, searchParams } = new URL(path, 'http://receiver');
  if (pathname !== '/api/webhooks/1/token') return json(404, { message: 'Unknown Webhook', code: 10_015 });
  const message = objectIn(body);
  const embeds = objectsOf(message?.['embeds']);
  const sums = embeds.map(({ title, description, fields }) =>
    objectsOf(fields).reduce(
      (sum, { name, value }) => sum + lengthOf(name) + lengthOf(value),
      lengthOf(title) + lengthOf(description),
    ),
  );
  const isRight =
    headers['content-type'] === 'application/json' &&
    embeds.length > 0 &&
    embeds.length <= 10 &&
    sums.reduce((sum, one) => sum + one, 0) <= 6_000 &&
    embeds.every(
      ({ title, description, url, fields, color }) =>
        lengthOf(title) > 0 &&
        lengthOf(title) <= 256 &&
        lengthOf(description) <= 4_096 &&
        isWebAddress(url) &&
        Number.isInteger(color) &&
        objectsOf(fields).length <= 25 &&
        objectsOf(fields).every(
          ({ name, value }) =>
            lengthOf(name) > 0 && lengthOf(name) <= 256 && lengthOf(value) > 0 && lengthOf(value) <= 1_024,
        ),
    );
  if (!isRight) return json(400, { message: 'Invalid Form Body', code: 50_035, errors: { embeds: { _errors: [] } } });
  return searchParams.get('wait') === 'true' ? json(200, { id: '1', type: 0, embeds }) : { status: 204 };
}

export interface OpenAlerts {
  /** Titles by their keys, of those that are open. */
  readonly open: ReadonlyMap<string, string>;
  readonly answer: (call: ReceivedCall) => HttpAnswer;
}

/** The Events API v2 of one service. */
export function pagerdutyService(routingKey: string): OpenAlerts {
  const open = new Map<string, string>();
  const refuse = (...errors: string[]): HttpAnswer =>
    json(400, { status: 'invalid event', message: 'Event object is invalid', errors });
  const answer = ({ path, body }: ReceivedCall): HttpAnswer => {
    if (path !== '/v2/enqueue') return { status: 404 };
    const event = objectIn(body);
    if (!event || Buffer.byteLength(body) > 512 * 1024) return refuse('JSON is invalid');
    const { routing_key: key, event_action: action, dedup_key: dedup, payload, links } = event;
    if (typeof key !== 'string' || key.length !== 32) {
      return refuse("Length of 'routing_key' is incorrect (should be 32 characters)");
    }
    if (key !== routingKey) return refuse("'routing_key' is not valid");
    if (typeof dedup !== 'string' || dedup.length > 255) return refuse("'dedup_key' is invalid");
    if (action === 'trigger') {
      const { summary, source, severity, timestamp, custom_details: details } = objectOf(payload);
      if (lengthOf(summary) === 0 || lengthOf(summary) > 1_024) return refuse("'payload.summary' is missing or blank");
      if (lengthOf(source) === 0) return refuse("'payload.source' is missing or blank");
      if (!['critical', 'error', 'warning', 'info'].includes(String(severity))) {
        return refuse("'payload.severity' is invalid (must be one of the following: critical, warning, error, info)");
      }
      if (Number.isNaN(Date.parse(String(timestamp)))) return refuse("'payload.timestamp' is invalid");
      if (typeof details !== 'object') return refuse("'payload.custom_details' is invalid");
      if (!objectsOf(links).every(({ href }) => isWebAddress(href))) return refuse("'links' is invalid");
      open.set(dedup, String(summary));
    } else if (action === 'resolve') {
      open.delete(dedup);
    } else if (action !== 'acknowledge') {
      return refuse("'event_action' is invalid (must be one of the following: trigger, acknowledge, resolve)");
    }
    return json(202, { status: 'success', message: 'Event processed', dedup_key: dedup });
  };
  return { open, answer };
}

const limits: Readonly<Record<string, number>> = {
  message: 130,
  alias: 512,
  description: 15_000,
  entity: 512,
  source: 100,
  note: 25_000,
};

/** The Alert API of one account. */
export function opsgenieAccount(apiKey: string): OpenAlerts {
  const open = new Map<string, string>();
  const said = (status: number, message: string, more: object = {}): HttpAnswer =>
    json(status, { ...(status < 300 ? { result: message } : { message }), took: 0.01, requestId: 'r', ...more });
  const answer = ({ path, headers, body }: ReceivedCall): HttpAnswer => {
    const { pathname, searchParams } = new URL(path, 'http://receiver');
    if (headers.authorization !== `GenieKey ${apiKey}`) return said(401, 'Could not authenticate');
    if (headers['content-type'] !== 'application/json') return said(415, 'Content type is not supported');
    const alert = objectIn(body);
    if (!alert) return said(400, 'Could not parse the request body');
    const long = Object.entries(limits).find(([field, most]) => String(alert[field] ?? '').length > most)?.[0];
    const details = Object.entries(objectOf(alert['details']));
    const tags = Array.isArray(alert['tags']) ? alert['tags'].map(String) : [];
    const size = details.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
    if (
      long !== undefined ||
      size > 8_000 ||
      details.some(([, value]) => typeof value !== 'string') ||
      tags.length > 20 ||
      tags.some((tag) => tag.length > 50)
    ) {
      return said(422, 'Request body is not processable. Please check the errors.', {
        errors: { [long ?? 'details']: 'is too long' },
      });
    }
    const closed = /^\/v2\/alerts\/([^/]+)\/close$/.exec(pathname)?.[1];
    if (closed !== undefined && searchParams.get('identifierType') === 'alias') {
      open.delete(decodeURIComponent(closed));
    } else if (pathname === '/v2/alerts') {
      if (lengthOf(alert['message']) === 0) {
        const errors = { message: 'may not be empty' };
        return said(422, 'Request body is not processable. Please check the errors.', { errors });
      }
      if (!/^P[1-5]$/.test(String(alert['priority']))) return said(422, 'Priority is not valid');
      open.set(String(alert['alias']), String(alert['message']));
    } else {
      return said(404, 'Handler not found');
    }
    return said(202, 'Request will be processed');
  };
  return { open, answer };
}
