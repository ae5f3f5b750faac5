/** Incoming webhooks as they are kept. */
import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import { incoming as texts } from '../../base/texts/incoming.ts';
import type { IncomingWebhookTable } from '../../ports/state/incoming-tables.ts';
import type { State } from '../../ports/state/state.ts';
import type { IncomingMapping, IncomingProvider, IncomingResult } from './types.ts';

/** Of one organisation. */
const maxWebhooks = 50;
/** How long the secret before a new one is accepted. */
const formerMs = 86_400_000;
/** A refusal is noted at most so often. */
const refusalMs = 5_000;

export interface IncomingWebhook {
  readonly id: number;
  readonly organizationId: string;
  readonly address: string;
  readonly name: string;
  readonly provider: IncomingProvider;
  readonly mappings: readonly IncomingMapping[];
  readonly enabled: boolean;
  readonly hasSecret: boolean;
  readonly formerUntil: number;
  readonly refusedAt: number | null;
  readonly refusal: string;
  readonly createdAt: number;
  /** What came last; null for nothing yet. */
  readonly last: IncomingDelivery | null;
}

export interface IncomingFields {
  readonly name: string;
  readonly mappings: readonly IncomingMapping[];
  readonly enabled: boolean;
}

export interface IncomingDelivery {
  readonly id: number;
  readonly delivery: string;
  readonly event: string;
  readonly result: IncomingResult;
  readonly detail: string;
  readonly receivedAt: number;
}

type Inside = Pick<State, 'db'>;
type Row = Selectable<IncomingWebhookTable>;

const secretPlace = (address: string): string => `incoming webhook ${address}`;
/** GitLab takes it as secret token and, in this form alone, as signing token. The others take any text. */
const newSecret = (provider: IncomingProvider): string =>
  provider === 'gitlab' ? `whsec_${randomBytes(32).toString('base64')}` : randomBytes(32).toString('base64url');

const toWebhook = (row: Row, last: IncomingDelivery | null): IncomingWebhook => ({
  id: row.id,
  organizationId: row.organization_id,
  address: row.address,
  name: row.name,
  provider: row.provider,
  mappings: JSON.parse(row.mappings) as IncomingMapping[],
  enabled: row.enabled === 1,
  hasSecret: row.secret !== '',
  formerUntil: Number(row.former_until),
  refusedAt: row.refused_at === null ? null : Number(row.refused_at),
  refusal: row.refusal,
  createdAt: Number(row.created_at),
  last,
});

/** By name. */
export async function listIncoming(state: Inside, organizationId: string): Promise<IncomingWebhook[]> {
  const rows = await state.db
    .selectFrom('incoming_webhook')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return Promise.all(rows.map(async (row) => toWebhook(row, await lastOf(state, row.id))));
}

const lastOf = async (state: Inside, webhookId: number): Promise<IncomingDelivery | null> =>
  (await listIncomingDeliveries(state, { webhookId, offset: 0, limit: 1 }))[0] ?? null;

export async function findIncoming(
  state: Inside,
  organizationId: string,
  id: number,
): Promise<IncomingWebhook | undefined> {
  const row = await state.db
    .selectFrom('incoming_webhook')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toWebhook(row, await lastOf(state, row.id));
}

interface AddressedWebhook {
  readonly webhook: IncomingWebhook;
  readonly secrets: readonly string[];
}

/** Of whoever calls it: with the secrets that open. */
export async function incomingAt(
  { db }: Inside,
  box: TextBox,
  provider: string,
  address: string,
  now: number,
): Promise<AddressedWebhook | undefined> {
  const row = await db.selectFrom('incoming_webhook').selectAll().where('address', '=', address).executeTakeFirst();
  if (!row || row.provider !== provider) return undefined;
  const sealed = [row.secret, Number(row.former_until) > now ? row.former_secret : ''].filter((one) => one !== '');
  const secrets = sealed.flatMap((one) => box.open(one, secretPlace(address)) ?? []);
  return { webhook: toWebhook(row, null), secrets };
}

/** With the secret, which nothing gives out again; null where the provider makes it and it is not known yet. */
export async function createIncoming(
  { db }: Inside,
  box: TextBox,
  organizationId: string,
  provider: IncomingProvider,
  fields: IncomingFields,
): Promise<{ readonly id: number; readonly secret: string | null }> {
  const { n } = await db
    .selectFrom('incoming_webhook')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (Number(n) >= maxWebhooks) throw new CodedError('INPUT_INVALID', [texts.tooMany(maxWebhooks)]);
  const address = randomBytes(24).toString('base64url');
  const secret = provider === 'vercel' ? null : newSecret(provider);
  const { id } = await db
    .insertInto('incoming_webhook')
    .values({
      organization_id: organizationId,
      address,
      provider,
      ...columnsOf(fields),
      secret: secret === null ? '' : box.seal(secret, secretPlace(address)),
      refused_at: null,
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret };
}

const columnsOf = ({ name, mappings, enabled }: IncomingFields) => ({
  name,
  mappings: JSON.stringify(mappings),
  enabled: enabled ? 1 : 0,
});

export async function changeIncoming({ db }: Inside, id: number, fields: IncomingFields): Promise<void> {
  await db.updateTable('incoming_webhook').set(columnsOf(fields)).where('id', '=', id).execute();
}

export async function deleteIncoming({ db }: Inside, id: number): Promise<void> {
  await db.deleteFrom('incoming_webhook').where('id', '=', id).execute();
}

/** The one before it is accepted for a day, so that the provider can be given the new one meanwhile. */
export async function rotateIncomingSecret(
  { db }: Inside,
  box: TextBox,
  { id, address, provider, hasSecret }: IncomingWebhook,
  given: string | undefined,
): Promise<string> {
  if (provider === 'vercel' && given === undefined) throw new CodedError('INPUT_INVALID', [texts.secretOfVercel]);
  const secret = given ?? newSecret(provider);
  await db
    .updateTable('incoming_webhook')
    .set((eb) => ({
      former_secret: eb.ref('secret'),
      former_until: hasSecret ? Date.now() + formerMs : 0,
      secret: box.seal(secret, secretPlace(address)),
      refused_at: null,
      refusal: '',
    }))
    .where('id', '=', id)
    .execute();
  return secret;
}

/** Why the last request was not let in: of use to who sets it up. */
export async function noteRefusal({ db }: Inside, id: number, why: string, now: number): Promise<void> {
  await db
    .updateTable('incoming_webhook')
    .set({ refused_at: now, refusal: why })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('refused_at', 'is', null), eb('refused_at', '<', now - refusalMs)]))
    .execute();
}

/** Newest first. */
export async function listIncomingDeliveries(
  { db }: Inside,
  { webhookId, offset, limit }: { readonly webhookId: number; readonly offset: number; readonly limit: number },
): Promise<IncomingDelivery[]> {
  const rows = await db
    .selectFrom('incoming_delivery')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ id, delivery, event, result, detail, received_at: at }) => {
    return { id, delivery, event, result, detail, receivedAt: Number(at) };
  });
}
