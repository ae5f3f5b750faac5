/** Webhooks as they are kept. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import { webhookTexts } from '../../base/texts/webhooks.ts';
import type { State } from '../../ports/state/state.ts';
import type { WebhookTable } from '../../ports/state/webhook-tables.ts';
import type { WebhookEvent } from './events.ts';

/** Of one organisation. */
const maxWebhooks = 50;
/** How long the secret before a new one still signs. */
const formerMs = 86_400_000;

export interface Webhook {
  readonly id: number;
  readonly organizationId: string;
  readonly uuid: string;
  readonly name: string;
  readonly url: string;
  /** Empty: all but the internal one. */
  readonly projectIds: readonly number[];
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
  readonly disabledAt: number | null;
  readonly problem: string;
  readonly failingSince: number | null;
  readonly lastSentAt: number | null;
  readonly dropped: number;
  readonly heardFrom: number;
  readonly createdAt: number;
  /** Whether the secret before still signs. */
  readonly formerUntil: number;
}

export interface WebhookFields {
  readonly name: string;
  readonly url: string;
  readonly projectIds: readonly number[];
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
}

type Inside = Pick<State, 'db'>;

export const secretPlace = (uuid: string): string => `webhook ${uuid}`;

/** 32 bytes; as Standard Webhooks write it. Sentry's receivers take all of it as the client secret. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const milliseconds = (value: number | null): number | null => (value === null ? null : Number(value));

export const toWebhook = (row: Selectable<WebhookTable>): Webhook => ({
  id: row.id,
  organizationId: row.organization_id,
  uuid: row.uuid,
  name: row.name,
  url: row.url,
  projectIds: JSON.parse(row.project_ids) as number[],
  events: JSON.parse(row.events) as WebhookEvent[],
  enabled: row.enabled === 1,
  disabledAt: milliseconds(row.disabled_at),
  problem: row.problem,
  failingSince: milliseconds(row.failing_since),
  lastSentAt: milliseconds(row.last_sent_at),
  dropped: row.dropped,
  heardFrom: Number(row.heard_from),
  createdAt: Number(row.created_at),
  formerUntil: Number(row.former_until),
});

/** By name. */
export async function listWebhooks({ db }: Inside, organizationId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhook')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toWebhook);
}

export async function findWebhook({ db }: Inside, organizationId: string, id: number): Promise<Webhook | undefined> {
  const row = await db
    .selectFrom('webhook')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toWebhook(row);
}

/** With the secret, which nothing gives out again. */
export async function createWebhook(
  { db }: Inside,
  box: TextBox,
  organizationId: string,
  fields: WebhookFields,
): Promise<{ readonly id: number; readonly secret: string }> {
  const { n } = await db
    .selectFrom('webhook')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (Number(n) >= maxWebhooks) throw new CodedError('INPUT_INVALID', [webhookTexts.tooMany(maxWebhooks)]);
  const uuid = randomUUID();
  const secret = newSecret();
  const nowMs = Date.now();
  const { id } = await db
    .insertInto('webhook')
    .values({
      organization_id: organizationId,
      uuid,
      ...columnsOf(fields),
      secret: box.seal(secret, secretPlace(uuid)),
      disabled_at: null,
      failing_since: null,
      last_sent_at: null,
      heard_from: nowMs,
      created_at: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret };
}

const columnsOf = ({ name, url, projectIds, events, enabled }: WebhookFields) => ({
  name,
  url,
  project_ids: JSON.stringify(projectIds),
  events: JSON.stringify(events),
  enabled: enabled ? 1 : 0,
});

/** What happened while it was disabled is not sent. */
export async function changeWebhook({ db }: Inside, webhook: Webhook, fields: WebhookFields): Promise<void> {
  const wakes = fields.enabled && !webhook.enabled;
  await db
    .updateTable('webhook')
    .set({
      ...columnsOf(fields),
      ...((wakes || fields.url !== webhook.url) && { problem: '', failing_since: null, retry_at: 0 }),
      ...(wakes && { disabled_at: null, heard_from: Date.now(), dropped: 0 }),
    })
    .where('id', '=', webhook.id)
    .execute();
}

export async function deleteWebhook({ db }: Inside, webhook: Webhook): Promise<void> {
  await db.deleteFrom('webhook').where('id', '=', webhook.id).execute();
}

/** The one before signs beside it for a day, so that receivers can change theirs meanwhile. */
export async function rotateSecret({ db }: Inside, box: TextBox, { id, uuid }: Webhook): Promise<string> {
  const secret = newSecret();
  await db
    .updateTable('webhook')
    .set((eb) => ({
      former_secret: eb.ref('secret'),
      former_until: Date.now() + formerMs,
      secret: box.seal(secret, secretPlace(uuid)),
    }))
    .where('id', '=', id)
    .execute();
  return secret;
}
