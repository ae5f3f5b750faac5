/**
 * Where the console leads, an entry a place: the rail, the bar of the settings, the account menu, the keys and the
 * palette are made from these. Its route stands in `app/routes`.
 */
import type { LinkProps } from '@tanstack/react-router';
import * as m from '../../messages/places.ts';
import {
  AlertsIcon,
  ExploreIcon,
  FeedbackIcon,
  HealthIcon,
  type Icon,
  IssuesIcon,
  NowIcon,
  PerformanceIcon,
  ProjectIcon,
  ReleasesIcon,
  SearchIcon,
  SettingsIcon,
  TracesIcon,
} from '../../ui/icons.ts';

export interface Place {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly icon: Icon;
  /** Where the label says what is done there, and not where that is. */
  readonly isAction?: true;
  /** In tinykeys' notation; none: only in the palette. */
  readonly keys?: readonly string[];
  /**
   * Where a link to it is always in view: in the rail, there only where it is a bar or only where it is none. The settings
   * are listed beside each other (`settings/groups.ts`); all else is in the palette alone.
   */
  readonly shown?: 'rail' | 'narrow' | 'wide';
  /** Of the rail where it is a bar. */
  readonly short?: string;
  /** The scope that it needs, where not everyone may open it. */
  readonly needs?: string | undefined;
  /** What it is part of, where that is more than its own address. */
  readonly within?: string;
}

type SettingName = Place['to'] extends infer To ? (To extends `/settings/${infer Name}` ? Name : never) : never;

/** One of the settings. */
const setting = (name: SettingName, label: string, needs?: string): Place => ({
  to: `/settings/${name}`,
  label,
  icon: SettingsIcon,
  needs,
});

const table = {
  find: { to: '/find', label: m.find, icon: SearchIcon, keys: ['g f'], shown: 'narrow' },
  now: { to: '/', label: m.now, icon: NowIcon, keys: ['g n'], shown: 'rail' },
  issues: { to: '/issues', label: m.issues, icon: IssuesIcon, keys: ['g i'], shown: 'rail' },
  traces: { to: '/traces', label: m.traces, icon: TracesIcon, keys: ['g t'], shown: 'rail' },
  performance: {
    to: '/performance',
    label: m.performance,
    short: m.performanceShort,
    icon: PerformanceIcon,
    keys: ['g v'],
    shown: 'rail',
  },
  explore: { to: '/explore', label: m.explore, icon: ExploreIcon, keys: ['g x'], shown: 'wide' },
  vitals: { to: '/performance/vitals', label: m.vitals, icon: PerformanceIcon },
  releases: { to: '/releases', label: m.releases, icon: ReleasesIcon, keys: ['g r'], shown: 'rail' },
  compareReleases: { to: '/releases/compare', label: m.compareReleases, icon: ReleasesIcon, isAction: true },
  alerts: { to: '/alerts', label: m.alerts, icon: AlertsIcon, keys: ['g a'], shown: 'rail' },
  feedback: { to: '/feedback', label: m.feedback, icon: FeedbackIcon, keys: ['g b'], shown: 'wide' },
  projects: { to: '/projects', label: m.projects, icon: ProjectIcon, keys: ['g p'], shown: 'wide' },
  newProject: { to: '/projects/new', label: m.newProject, icon: ProjectIcon, isAction: true },
  health: { to: '/health', label: m.health, icon: HealthIcon, keys: ['g h'], shown: 'wide' },
  settings: {
    to: '/settings/tokens',
    within: '/settings',
    label: m.settings,
    icon: SettingsIcon,
    keys: ['g s'],
    shown: 'wide',
  },
  tokens: setting('tokens', m.tokens),
  repositories: setting('repositories', m.repositories),
  members: setting('members', m.members),
  teams: setting('teams', m.teams),
  organization: setting('organization', m.organization),
  security: setting('security', m.security, 'org:admin'),
  signIn: setting('sign-in', m.signIn, 'org:admin'),
  quotas: setting('quotas', m.quotas),
  retention: setting('retention', m.retention),
  erase: setting('erase', m.erase, 'org:admin'),
  channels: setting('channels', m.channels),
  webhooks: setting('webhooks', m.webhooks, 'org:write'),
  auditLog: setting('audit-log', m.auditLog, 'org:audit'),
  notifications: setting('notifications', m.notifications),
  account: setting('account', m.account),
} as const satisfies Readonly<Record<string, Place>>;

export type PlaceId = keyof typeof table;

/** In the order in which they are listed. */
export const places: Readonly<Record<PlaceId, Place>> = table;
export const placeIds = Object.keys(table) as PlaceId[];

export const mayOpen = (id: PlaceId, access: readonly string[]): boolean => {
  const { needs } = places[id];
  return needs === undefined || access.includes(needs);
};

export const placesShown = (...where: readonly Place['shown'][]): PlaceId[] =>
  placeIds.filter((id) => where.includes(places[id].shown));

/** The command that leads there. */
export const goTo = (id: PlaceId) => `go.${id}` as const;

/** The label and the first key: `Issues  g i`. */
export function tipOf(id: PlaceId): string {
  const { label, keys } = places[id];
  return keys ? `${label}  ${keys[0]}` : label;
}
