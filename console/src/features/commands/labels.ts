/** What the commands are called, in the palette and in the help. */
import * as m from '../../messages/commands.ts';
import { goTo, placeIds, places, type PlaceId } from '../places/places.ts';
import type { CommandId, OwnId } from './shortcuts.ts';

export const scopes = ['Everywhere', 'Lists', 'Alerts', 'Issue', 'Trace'] as const;
export type Scope = (typeof scopes)[number];

const scopesOfParts: Readonly<Record<string, Scope>> = {
  list: 'Lists',
  alerts: 'Alerts',
  issue: 'Issue',
  trace: 'Trace',
};

/** Where a command works, by what stands before its dot. */
export const scopeOf = (command: CommandId): Scope => scopesOfParts[command.split('.', 1)[0] ?? ''] ?? 'Everywhere';

/** The place that a command leads to. */
export const placeOf = (command: CommandId): PlaceId | undefined => placeIds.find((id) => goTo(id) === command);

export function labelOf(command: CommandId): string {
  const place = placeOf(command);
  if (place === undefined) return m.labels[command as OwnId];
  const { label, isAction = false } = places[place];
  return isAction ? label : m.goTo({ place: label });
}

/** In the order of the help. */
export const allCommands: readonly CommandId[] = [...(Object.keys(m.labels) as OwnId[]), ...placeIds.map(goTo)];
