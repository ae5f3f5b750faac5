/**
 * Tells who made an API token, by mail, that it will expire: two weeks before and a day before, once each. Of a SCIM token
 * all owners are told: without it nobody is removed any more.
 */
import type { State } from '../../ports/state/state.ts';
import { enqueue } from './enqueue.ts';
import type { Notification } from './types.ts';
import * as texts from '../../base/texts/notifications.ts';
import { utcDay, utcMinute } from '../../base/texts/intl.ts';

const dayMs = 86_400_000;
/** Before the end, the longest first. */
const reminders = [14, 1];

interface Ending {
  readonly id: number;
  readonly organizationId: string;
  readonly organization: string;
  readonly userId: string;
  readonly name: string;
  readonly hint: string;
  readonly kind: 'user' | 'organization' | 'service' | 'scim';
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
  readonly isMember: boolean;
}

/** Days of the reminder that is due; undefined when none is, also for a token that was made to last no longer. Pure. */
export function reminderDue(
  { createdAt, expiresAt }: Pick<Ending, 'createdAt' | 'expiresAt'>,
  nowMs: number,
): number | undefined {
  const days = reminders.findLast((each) => nowMs >= expiresAt - each * dayMs);
  return days !== undefined && nowMs < expiresAt && createdAt < expiresAt - days * dayMs ? days : undefined;
}

/** Enqueues what is due. The keys make it once each, whichever node comes first. */
export async function enqueueTokenReminders(
  state: State,
  { consoleUrl, nowMs }: { consoleUrl: string; nowMs: number },
): Promise<void> {
  for (const token of [...(await endingSoon(state, nowMs)), ...(await scimEndingSoon(state, nowMs))]) {
    const days = reminderDue(token, nowMs);
    if (days === undefined) continue;
    // One of the organisation may outlast who made it.
    const readers = token.isMember ? [token.userId] : await ownersOf(state, token.organizationId);
    const notification = notificationOf(token, consoleUrl);
    for (const userId of readers) {
      const key = `${named(token)}-expires:${token.id}:${days}:${userId}`;
      await enqueue(state.db, { key, organizationId: token.organizationId, to: { userId }, notification });
    }
  }
}

async function endingSoon(state: State, nowMs: number): Promise<Ending[]> {
  const [longest = 0] = reminders;
  const rows = await state.db
    .selectFrom('api_token')
    .innerJoin('organization', 'organization.id', 'api_token.organization_id')
    .leftJoin('member', (join) =>
      join
        .onRef('member.userId', '=', 'api_token.user_id')
        .onRef('member.organizationId', '=', 'api_token.organization_id'),
    )
    .select([
      'api_token.id',
      'api_token.organization_id as organizationId',
      'organization.name as organization',
      'api_token.user_id as userId',
      'api_token.name',
      'api_token.token_hint as hint',
      'api_token.kind',
      'api_token.created_at as createdAt',
      'api_token.expires_at as expiresAt',
      'api_token.last_used_at as lastUsedAt',
      'member.id as memberId',
    ])
    // What is granted to a program lives on while the program uses it.
    .where('api_token.id', 'not in', state.db.selectFrom('oauth_grant').select('token_id'))
    .where('api_token.expires_at', '>', nowMs)
    .where('api_token.expires_at', '<=', nowMs + longest * dayMs)
    .orderBy('api_token.id')
    .execute();
  return rows.map(({ memberId, expiresAt, ...row }) => ({
    ...row,
    expiresAt: expiresAt ?? Infinity,
    isMember: memberId !== null,
  }));
}

async function scimEndingSoon(state: State, nowMs: number): Promise<Ending[]> {
  const [longest = 0] = reminders;
  const rows = await state.db
    .selectFrom('scim_token')
    .innerJoin('organization', 'organization.id', 'scim_token.organization_id')
    .select([
      'scim_token.id',
      'scim_token.organization_id as organizationId',
      'organization.name as organization',
      'scim_token.name',
      'scim_token.token_hint as hint',
      'scim_token.created_at as createdAt',
      'scim_token.expires_at as expiresAt',
      'scim_token.last_used_at as lastUsedAt',
    ])
    .where('scim_token.expires_at', '>', nowMs)
    .where('scim_token.expires_at', '<=', nowMs + longest * dayMs)
    .orderBy('scim_token.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    createdAt: Number(row.createdAt),
    expiresAt: row.expiresAt === null ? Infinity : Number(row.expiresAt),
    lastUsedAt: row.lastUsedAt === null ? null : Number(row.lastUsedAt),
    kind: 'scim',
    userId: '',
    isMember: false,
  }));
}

/** Their ids are counted apart. */
const named = ({ kind }: Ending): string => (kind === 'scim' ? 'scim-token' : 'token');

async function ownersOf(state: State, organizationId: string): Promise<string[]> {
  const rows = await state.db
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .execute();
  return rows.map(({ userId }) => userId);
}

const scopeTexts = { user: 'you', organization: 'builds', service: 'service', scim: 'directory' } as const;

function notificationOf(token: Ending, consoleUrl: string): Notification {
  const { id, name, hint, kind, organization, expiresAt, lastUsedAt } = token;
  return {
    kind: 'token',
    severity: 'warning',
    title: texts.tokenExpiry[kind === 'scim' ? 'scimTitle' : 'title'](name, expiresAt),
    text: texts.tokenExpiry.text,
    url: `${consoleUrl}/settings/${kind === 'scim' ? 'security' : 'tokens'}`,
    fields: [
      { name: texts.tokenExpiry.expires, value: utcMinute(expiresAt) },
      { name: texts.tokenExpiry.token, value: `…${hint}` },
      {
        name: texts.tokenExpiry.scope,
        value: texts.tokenExpiry[scopeTexts[kind]](organization),
      },
      { name: texts.tokenExpiry.lastUsed, value: lastUsedAt === null ? texts.tokenExpiry.never : utcDay(lastUsedAt) },
    ],
    groupKey: `${named(token)}:${id}`,
  };
}
