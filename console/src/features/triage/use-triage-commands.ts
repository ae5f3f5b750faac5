import { useCommand } from '../commands/commands.ts';
import { useMay, useSession } from '../session/organization.ts';
import {
  archive,
  assign,
  bookmark,
  priorities,
  reopen,
  resolve,
  review,
  setPriority,
  subscribe,
  type Action,
} from './actions.ts';
import type { MenuKind } from './TriageMenu.tsx';
import type { Target } from './use-triage.ts';

/** Offers every action of triage by key and in the palette. `targets`: what they would be done with; none: they do nothing. */
export function useTriageCommands(
  targets: () => readonly Target[],
  act: (action: Action) => void,
  openMenu: (kind: MenuKind) => void,
): void {
  const { user } = useSession();
  const may = useMay('event:write');
  const on = (run: (targets: readonly Target[]) => void) => (): void => {
    const found = targets();
    if (found.length > 0) run(found);
  };
  const does = (action: Action): (() => void) => on(() => act(action));
  const opens = (kind: MenuKind): (() => void) => on(() => openMenu(kind));
  /** What they all are already is taken back. */
  const toggles = (is: (target: Target) => boolean, back: Action, action: Action): (() => void) =>
    on((found) => act(found.every((each) => is(each)) ? back : action));

  useCommand(
    'issue.resolve',
    toggles(({ status }) => status === 'resolved', reopen, resolve()),
    may,
  );
  useCommand('issue.resolve-how', opens('resolve'), may);
  useCommand('issue.resolve-next', does(resolve({ in: 'next' })), may);
  useCommand('issue.resolve-release', does(resolve({ in: 'release', version: 'latest' })), may);
  useCommand(
    'issue.archive',
    toggles(({ status }) => status === 'ignored', reopen, archive()),
    may,
  );
  useCommand('issue.archive-how', opens('archive'), may);
  useCommand('issue.archive-day', does(archive({ until: 'time', minutes: 1440 })), may);
  useCommand('issue.archive-forever', does(archive({ until: 'forever' })), may);
  useCommand('issue.reopen', does(reopen), may);
  useCommand('issue.review', does(review), may);
  useCommand('issue.assign', opens('assign'), may);
  useCommand('issue.assign-me', does(assign({ type: 'user', id: user.id, name: user.name, email: user.email })), may);
  useCommand('issue.unassign', does(assign(null)), may);
  useCommand('issue.priority', opens('priority'), may);
  useCommand('issue.priority-high', does(setPriority(priorities[0])), may);
  useCommand('issue.priority-medium', does(setPriority(priorities[1])), may);
  useCommand('issue.priority-low', does(setPriority(priorities[2])), may);
  useCommand(
    'issue.bookmark',
    toggles(({ isBookmarked }) => isBookmarked, bookmark(false), bookmark(true)),
    may,
  );
  useCommand(
    'issue.subscribe',
    toggles(({ isSubscribed }) => isSubscribed, subscribe(false), subscribe(true)),
    may,
  );
}
