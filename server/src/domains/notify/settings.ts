/** How members want to be told, in each organisation. */
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { NotificationKind, QuietHours } from './types.ts';

/** Which issues: all of the organisation, those that somebody has or follows, none. */
export type Reach = 'all' | 'mine' | 'none';

export interface PersonalSettings {
  readonly state: Reach;
  readonly comment: Reach;
  readonly assigned: 'mine' | 'none';
  readonly mentioned: 'mine' | 'none';
  readonly report: boolean;
  /** IANA name. */
  readonly timeZone: string;
  readonly quietHours: QuietHours | null;
  /** By project id, for states and comments. */
  readonly projects: Readonly<Record<string, Reach>>;
}

export const defaultSettings: PersonalSettings = {
  state: 'mine',
  comment: 'mine',
  assigned: 'mine',
  mentioned: 'mine',
  report: true,
  timeZone: 'UTC',
  quietHours: null,
  projects: {},
};

interface Owner {
  readonly userId: string;
  readonly organizationId: string;
}

export async function getPersonalSettings(db: State['db'] | StateTransaction, owner: Owner): Promise<PersonalSettings> {
  const row = await db
    .selectFrom('notification_setting')
    .select('settings')
    .where('user_id', '=', owner.userId)
    .where('organization_id', '=', owner.organizationId)
    .executeTakeFirst();
  return readSettings(row?.settings);
}

export const readSettings = (text: string | null | undefined): PersonalSettings => ({
  ...defaultSettings,
  ...(text ? (JSON.parse(text) as Partial<PersonalSettings>) : {}),
});

/** What is left out stays. */
export async function changePersonalSettings(
  state: State,
  owner: Owner,
  change: Partial<PersonalSettings>,
  nowMs: number,
): Promise<PersonalSettings> {
  return state.transaction(async (trx) => {
    const settings = { ...(await getPersonalSettings(trx, owner)), ...change };
    const row = { settings: JSON.stringify(settings), updated_at: nowMs };
    await trx
      .insertInto('notification_setting')
      .values({ user_id: owner.userId, organization_id: owner.organizationId, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet(row))
      .execute();
    return settings;
  });
}

/** For states and comments of a project. */
export const reachIn = (settings: PersonalSettings, kind: 'state' | 'comment', projectId: number): Reach => {
  const own = Object.hasOwn(settings.projects, String(projectId)) ? settings.projects[String(projectId)] : undefined;
  return own ?? settings[kind];
};

/** Whether somebody wants a mail of the kind at all. What rules and people send on purpose is wanted. */
export function wants(settings: PersonalSettings, kind: NotificationKind, projectId: number | undefined): boolean {
  if (kind === 'state' || kind === 'comment') {
    return (projectId === undefined ? settings[kind] : reachIn(settings, kind, projectId)) !== 'none';
  }
  if (kind === 'assigned' || kind === 'mentioned') return settings[kind] !== 'none';
  return kind === 'report' ? settings.report : true;
}
