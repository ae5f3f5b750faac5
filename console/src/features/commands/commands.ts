/**
 * Commands that pages offer and keys run. The table of keys stands in app/shortcuts.ts and is registered once at the
 * start; a page offers a command while it is mounted. The palette and the help list what is offered.
 */
import { useEffect, useRef } from 'react';

export type CommandId =
  | 'palette'
  | 'find'
  | 'help'
  | 'go.find'
  | 'go.issues'
  | 'go.projects'
  | 'go.traces'
  | 'go.performance'
  | 'go.explore'
  | 'go.vitals'
  | 'go.releases'
  | 'go.health'
  | 'go.settings'
  | 'time-range'
  | 'list.search'
  | 'list.next'
  | 'list.previous'
  | 'list.open'
  | 'list.select'
  | 'list.refresh'
  | 'issue.resolve'
  | 'issue.archive'
  | 'issue.merge'
  | 'issue.older'
  | 'issue.newer'
  | 'issue.copy-link'
  | 'issue.copy-markdown'
  | 'issue.next-frame'
  | 'trace.search'
  | 'trace.next'
  | 'trace.previous'
  | 'trace.zoom-in'
  | 'trace.zoom-out'
  | 'trace.pan-left'
  | 'trace.pan-right'
  | 'trace.critical-path'
  | 'trace.focus'
  | 'trace.back'
  | 'trace.copy-link'
  | 'theme';

export type Scope = 'Everywhere' | 'Lists' | 'Issue' | 'Trace';

export interface Shortcut {
  readonly command: CommandId;
  /** In tinykeys' notation; further ones are other ways to the same. Empty: only in the palette. */
  readonly keys: readonly string[];
  readonly label: string;
  readonly scope: Scope;
}

let table: readonly Shortcut[] = [];
const handlers = new Map<CommandId, (() => void)[]>();

export function registerShortcuts(shortcuts: readonly Shortcut[]): void {
  table = shortcuts;
}

export function allShortcuts(): readonly Shortcut[] {
  return table;
}

/** The first key of a command as text for a tip: `Resolve (e)`. */
export function withKey(label: string, command: CommandId): string {
  const keys = table.find((each) => each.command === command)?.keys[0];
  return keys ? `${label}  ${keys}` : label;
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
  useEffect(() => {
    if (!enabled) return;
    const handler = (): void => latest.current();
    handlers.set(command, [...(handlers.get(command) ?? []), handler]);
    return () => {
      handlers.set(
        command,
        (handlers.get(command) ?? []).filter((each) => each !== handler),
      );
    };
  }, [command, enabled]);
}
