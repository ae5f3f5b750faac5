/**
 * Commands that pages offer and keys run. The table of keys stands in app/shortcuts.ts and is registered once at the
 * start; a page offers a command while it is mounted. The palette and the help list what is offered, with the words of
 * labels.ts, which nobody else loads.
 */
import { useEffect, useRef } from 'react';

export type CommandId =
  | 'palette'
  | 'find'
  | 'help'
  | 'undo'
  | 'theme'
  | 'time-range'
  | `go.${'now' | 'find' | 'issues' | 'feedback' | 'projects' | 'traces' | 'performance' | 'explore' | 'vitals' | 'releases' | 'alerts' | 'health' | 'settings'}`
  | `list.${'search' | 'next' | 'previous' | 'open' | 'peek' | 'select' | 'select-range' | 'select-down' | 'select-up' | 'select-page' | 'select-all' | 'clear' | 'refresh' | 'merge'}`
  | 'alerts.new'
  | `issue.${'resolve' | 'resolve-how' | 'resolve-next' | 'resolve-release' | 'archive' | 'archive-how' | 'archive-day' | 'archive-forever' | 'reopen' | 'review'}`
  | `issue.${'assign' | 'assign-me' | 'unassign' | 'priority' | 'priority-high' | 'priority-medium' | 'priority-low'}`
  | `issue.${'bookmark' | 'subscribe' | 'share' | 'comment' | 'delete' | 'discard'}`
  | `issue.${'back' | 'older' | 'newer' | 'copy-link' | 'copy-markdown' | 'next-frame'}`
  | `trace.${'search' | 'next' | 'previous' | 'zoom-in' | 'zoom-out' | 'pan-left' | 'pan-right' | 'critical-path' | 'focus' | 'back' | 'copy-link'}`;

/**
 * Keys of every command in tinykeys' notation; further ones are other ways to the same. None: only in the palette. What
 * stands before the dot of a command says where it works.
 */
export type ShortcutTable = Readonly<Record<CommandId, readonly string[]>>;

let table: Partial<ShortcutTable> = {};
const handlers = new Map<CommandId, (() => void)[]>();

export function registerShortcuts(shortcuts: ShortcutTable): void {
  table = shortcuts;
}

/** The first key of a command; undefined for those that only the palette has. */
export const keyOf = (command: CommandId): string | undefined => table[command]?.[0];

/** The first key of a command as text for a tip: `Resolve  e`. */
export function withKey(label: string, command: CommandId): string {
  const key = keyOf(command);
  return key ? `${label}  ${key.replace('+', ' ')}` : label;
}

export function isOffered(command: CommandId): boolean {
  return (handlers.get(command)?.length ?? 0) > 0;
}

/** Runs the newest handler of a command; false when nothing on the page offers it. */
export function runCommand(command: CommandId): boolean {
  const handler = handlers.get(command)?.at(-1);
  handler?.();
  return handler !== undefined;
}

/** Offers a command while the component is mounted and `enabled`. */
export function useCommand(command: CommandId, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => (enabled ? offerCommand(command, () => latest.current()) : undefined), [command, enabled]);
}

/** Offers a command until the returned function is called. */
export function offerCommand(command: CommandId, run: () => void): () => void {
  handlers.set(command, [...(handlers.get(command) ?? []), run]);
  return () => {
    handlers.set(
      command,
      (handlers.get(command) ?? []).filter((each) => each !== run),
    );
  };
}
