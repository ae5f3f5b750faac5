/** What the groups of somebody at a provider make them here. Pure. */
import { type Role, roles } from '../accounts/index.ts';
import type { Provider } from './provider.ts';

export interface Mapped {
  /** Undefined where roles are not mapped: they stay as people here set them. */
  readonly role: Role | undefined;
  /** The teams that they are in, of those that the mapping names. */
  readonly teamIds: readonly number[];
  /** All that the mapping names; others are as people here set them. */
  readonly namedTeamIds: readonly number[];
}

/** The highest role of all rows that fit; the default one where none does. */
export function mapped(
  { mapping, defaultRole }: Pick<Provider, 'mapping' | 'defaultRole'>,
  groups: readonly string[],
): Mapped {
  const own = new Set(groups);
  const fitting = mapping.filter(({ value }) => own.has(value));
  const given = new Set(fitting.map(({ role }) => role));
  const teamsOf = (rows: typeof mapping): number[] => [...new Set(rows.flatMap(({ teamId }) => teamId ?? []))];
  return {
    role: mapping.some(({ role }) => role !== null)
      ? (roles.find((role) => given.has(role)) ?? defaultRole)
      : undefined,
    teamIds: teamsOf(fitting),
    namedTeamIds: teamsOf(mapping),
  };
}
