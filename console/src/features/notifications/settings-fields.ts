/** The settings of notifications as the fields of their form. Pure. */
import type { QuietHours } from '../channels/queries.ts';
import type { NotificationSettings, Reach } from './queries.ts';

export interface SettingsFields {
  readonly state: Reach;
  readonly comment: Reach;
  readonly assigned: boolean;
  readonly mentioned: boolean;
  readonly report: boolean;
  readonly timeZone: string;
  readonly quietHours: QuietHours | null;
  /** By id; '' follows `state` and `comment`. */
  readonly projects: Record<string, Reach | ''>;
}

export const fieldsOf = (
  { state, comment, assigned, mentioned, report, timeZone, quietHours, projects }: NotificationSettings,
  offered: readonly { readonly id: string }[],
): SettingsFields => ({
  state,
  comment,
  assigned: assigned === 'mine',
  mentioned: mentioned === 'mine',
  report,
  timeZone,
  quietHours,
  projects: { ...Object.fromEntries(offered.map(({ id }) => [id, '' as const])), ...projects },
});

export const settingsOf = ({ assigned, mentioned, projects, ...fields }: SettingsFields): NotificationSettings => ({
  ...fields,
  assigned: assigned ? 'mine' : 'none',
  mentioned: mentioned ? 'mine' : 'none',
  projects: Object.fromEntries(
    Object.entries(projects).flatMap(([id, reach]): [string, Reach][] => (reach === '' ? [] : [[id, reach]])),
  ),
});
