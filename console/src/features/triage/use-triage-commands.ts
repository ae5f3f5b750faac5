import { useCommand } from '../commands/commands.ts';
import { useSession } from '../session/organization.ts';
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
  );
  useCommand('issue.resolve-how', opens('resolve'));
  useCommand('issue.resolve-next', does(resolve({ in: 'next' })));
  useCommand('issue.resolve-release', does(resolve({ in: 'release', version: 'latest' })));
  useCommand(
    'issue.archive',
    toggles(({ status }) => status === 'ignored', reopen, archive()),
  );
  useCommand('issue.archive-how', opens('archive'));
  useCommand('issue.archive-day', does(archive({ until: 'time', minutes: 1440 })));
  useCommand('issue.archive-forever', does(archive({ until: 'forever' })));
  useCommand('issue.reopen', does(reopen));
  useCommand('issue.review', does(review));
  useCommand('issue.assign', opens('assign'));
  useCommand('issue.assign-me', does(assign({ type: 'user', id: user.id, name: user.name, email: user.email })));
  useCommand('issue.unassign', does(assign(null)));
  useCommand('issue.priority', opens('priority'));
  useCommand('issue.priority-high', does(setPriority(priorities[0])));
  useCommand('issue.priority-medium', does(setPriority(priorities[1])));
  useCommand('issue.priority-low', does(setPriority(priorities[2])));
  useCommand(
    'issue.bookmark',
    toggles(({ isBookmarked }) => isBookmarked, bookmark(false), bookmark(true)),
  );
  useCommand(
    'issue.subscribe',
    toggles(({ isSubscribed }) => isSubscribed, subscribe(false), subscribe(true)),
  );
}
