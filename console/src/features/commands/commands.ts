/**
 * Commands that pages offer and keys run; `shortcuts.ts` lists them all. A page offers a command while it is mounted. The
 * palette and the help list what is offered, with the words of labels.ts, which nothing else loads.
 */
import { useEffect, useRef } from 'react';
import type { CommandId } from './shortcuts.ts';

const handlers = new Map<CommandId, (() => void)[]>();

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
