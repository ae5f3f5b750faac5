/**
 * The keys of the commands: keys, palette, tips and help are made from this table. A command is what the catalogue
 * `commands` has a name for; those that lead to a place are made of `places.ts`. What stands before the dot of a command
 * says where it works.
 */
import { withKey as tip } from '../../messages/app.ts';
import type { labels } from '../../messages/commands.ts';
import { goTo, placeIds, places } from '../places/places.ts';

type GoId = ReturnType<typeof goTo>;
export type OwnId = keyof typeof labels;
export type CommandId = OwnId | GoId;

/** In tinykeys' notation; further keys are other ways to the same. What has none is in the palette only. */
const own: Readonly<Partial<Record<OwnId, readonly string[]>>> = {
  palette: ['$mod+k'],
  find: ['/', 'Shift+/'],
  help: ['?', 'Shift+?'],
  undo: ['u', '$mod+z'],
  'time-range': ['t'],
  'list.search': ['s'],
  'list.next': ['j'],
  'list.previous': ['k'],
  'list.open': ['Enter', 'o'],
  'list.peek': ['Space'],
  'list.select': ['x'],
  'list.select-range': ['Shift+X'],
  'list.select-down': ['Shift+J'],
  'list.select-up': ['Shift+K'],
  'list.clear': ['Escape'],
  'list.refresh': ['.'],
  'list.merge': ['Shift+M'],
  'alerts.new': ['n'],
  'issue.resolve': ['e'],
  'issue.resolve-how': ['Shift+E'],
  'issue.archive': ['m'],
  'issue.archive-how': ['z'],
  'issue.review': ['v'],
  'issue.assign': ['a'],
  'issue.assign-me': ['Shift+A'],
  'issue.priority': ['p'],
  'issue.bookmark': ['b'],
  'issue.subscribe': ['w'],
  'issue.comment': ['r'],
  'issue.older': ['['],
  'issue.newer': [']'],
  'issue.next-frame': ['f'],
  'issue.copy-link': ['c'],
  'issue.copy-brief': ['Shift+C'],
  'issue.back': ['Escape'],
  'trace.search': ['q'],
  'trace.next': ['n'],
  'trace.previous': ['Shift+N'],
  'trace.zoom-in': ['w'],
  'trace.zoom-out': ['s'],
  'trace.pan-left': ['a'],
  'trace.pan-right': ['d'],
  'trace.critical-path': ['p'],
  'trace.focus': ['f'],
  'trace.copy-link': ['c'],
  'trace.back': ['Escape'],
};

export const shortcuts: Readonly<Partial<Record<CommandId, readonly string[]>>> = {
  ...own,
  ...Object.fromEntries(placeIds.map((id) => [goTo(id), places[id].keys])),
};

/** The first key of a command; undefined for those that only the palette has. */
export const keyOf = (command: CommandId): string | undefined => shortcuts[command]?.[0];

/** The first key of a command as text for a tip: `Resolve  e`. */
export function withKey(label: string, command: CommandId): string {
  const key = keyOf(command);
  return key ? tip({ label, key: key.replace('+', ' ') }) : label;
}
