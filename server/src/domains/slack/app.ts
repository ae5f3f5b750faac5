/** The Slack app that an organisation has connected, one of one workspace. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import { lostSecrets } from '../../base/texts/notifications.ts';
import { slack as texts } from '../../base/texts/slack.ts';
import type { SlackAppTable } from '../../ports/state/slack-tables.ts';
import type { State } from '../../ports/state/state.ts';
import { slackApiUrl } from '../notify/index.ts';
import { callSlack, type SlackTools } from './api.ts';
import { botScopes } from './manifest.ts';

export interface SlackApp {
  readonly organizationId: string;
  readonly apiUrl: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly enterpriseId: string | null;
  readonly botName: string;
  readonly createdAt: number;
  /** When a press came last; null for never. */
  readonly pressedAt: number | null;
}

/** With what Slack lets in, and signs with. */
export interface OpenedApp extends SlackApp {
  readonly token: string;
  readonly signingSecret: string;
}

/** What is left out stays. */
export interface SlackFields {
  readonly token?: string | undefined;
  readonly signingSecret?: string | undefined;
  readonly apiUrl?: string | undefined;
}

export interface SlackStores {
  readonly state: State;
  readonly box: TextBox;
}

type Inside = Pick<State, 'db'>;

const place = (organizationId: string, what: 'token' | 'signing secret'): string => `slack ${organizationId} ${what}`;

const toApp = (row: Selectable<SlackAppTable>): SlackApp => ({
  organizationId: row.organization_id,
  apiUrl: row.api_url,
  teamId: row.team_id,
  teamName: row.team_name,
  enterpriseId: row.enterprise_id,
  botName: row.bot_name,
  createdAt: Number(row.created_at),
  pressedAt: row.pressed_at === null ? null : Number(row.pressed_at),
});

const rowOf = ({ db }: Inside, organizationId: string): Promise<Selectable<SlackAppTable> | undefined> =>
  db.selectFrom('slack_app').selectAll().where('organization_id', '=', organizationId).executeTakeFirst();

export async function findSlackApp(inside: Inside, organizationId: string): Promise<SlackApp | undefined> {
  const row = await rowOf(inside, organizationId);
  return row && toApp(row);
}

/** Throws `INPUT_INVALID` where its secrets were sealed with a key that is gone. */
export async function openSlackApp(
  { state, box }: SlackStores,
  organizationId: string,
): Promise<OpenedApp | undefined> {
  const row = await rowOf(state, organizationId);
  if (!row) return undefined;
  const token = box.open(row.token, place(organizationId, 'token'));
  const signingSecret = box.open(row.signing_secret, place(organizationId, 'signing secret'));
  if (token === undefined || signingSecret === undefined)
    throw new CodedError('INPUT_INVALID', [lostSecrets(['token', 'signing secret'])]);
  return { ...toApp(row), token, signingSecret };
}

const Tested = z.object({
  team_id: z.string().max(40),
  team: z.string().max(200),
  user_id: z.string().max(40),
  user: z.string().max(200),
  bot_id: z.string().max(40).optional(),
  enterprise_id: z.string().max(40).nullish(),
});

/** What is to be stored of an app that Slack knows. */
export type TestedApp = Omit<SlackAppTable, 'created_at' | 'updated_at' | 'pressed_at'>;

/** Asks Slack whose token it is. Throws `INPUT_INVALID` for what cannot be meant, and as `callSlack` does. */
export async function connectSlack(
  { state, box }: SlackStores,
  organizationId: string,
  { token, signingSecret, apiUrl }: SlackFields,
  tools: SlackTools,
): Promise<TestedApp> {
  if (token?.startsWith('xoxe.')) throw new CodedError('INPUT_INVALID', [texts.rotates]);
  if (token !== undefined && !token.startsWith('xoxb-')) throw new CodedError('INPUT_INVALID', [texts.botToken]);
  const before = await rowOf(state, organizationId);
  if (!before && (token === undefined || signingSecret === undefined))
    throw new CodedError('INPUT_INVALID', [texts.bothNeeded]);
  const api = apiUrl ?? before?.api_url ?? slackApiUrl;
  // Secrets go to no address that whoever changes it might have made up.
  if (before && api !== before.api_url && (token === undefined || signingSecret === undefined))
    throw new CodedError('INPUT_INVALID', [texts.enterAgain]);
  const opened =
    token === undefined || signingSecret === undefined ? await openSlackApp({ state, box }, organizationId) : undefined;
  const known = { token: token ?? opened?.token ?? '', signingSecret: signingSecret ?? opened?.signingSecret ?? '' };
  const { data, scopes } = await callSlack({ token: known.token, apiUrl: api }, 'auth.test', {}, Tested, tools);
  if (data.bot_id === undefined) throw new CodedError('SLACK_REFUSED', [texts.refused('not_allowed_token_type')]);
  const lacking = scopes && botScopes.filter((scope) => !scopes.includes(scope));
  if (lacking?.length) throw new CodedError('SLACK_REFUSED', [texts.missingScope(lacking.join(', '))]);
  return {
    organization_id: organizationId,
    api_url: api,
    team_id: data.team_id,
    team_name: data.team,
    enterprise_id: data.enterprise_id ?? null,
    bot_user_id: data.user_id,
    bot_name: data.user,
    token: box.seal(known.token, place(organizationId, 'token')),
    signing_secret: box.seal(known.signingSecret, place(organizationId, 'signing secret')),
  };
}

/** True where there was none before. Whether its buttons work is to be seen anew. */
export async function storeSlackApp({ db }: Inside, app: TestedApp, nowMs: number): Promise<void> {
  const row = { ...app, updated_at: nowMs, pressed_at: null };
  await db
    .insertInto('slack_app')
    .values({ ...row, created_at: nowMs })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute();
}

export async function disconnectSlack({ db }: Inside, organizationId: string): Promise<void> {
  await db.deleteFrom('slack_app').where('organization_id', '=', organizationId).execute();
}

export async function notePress({ db }: Inside, organizationId: string, nowMs: number): Promise<void> {
  await db.updateTable('slack_app').set({ pressed_at: nowMs }).where('organization_id', '=', organizationId).execute();
}
