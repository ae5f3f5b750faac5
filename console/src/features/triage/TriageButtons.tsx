import { ArchiveIcon, BookmarkIcon, MenuIcon, ReopenIcon, ResolveIcon } from '../../ui/icons.ts';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { withKey } from '../commands/shortcuts.ts';
import { archive, assigneeName, bookmark, reopen, resolve, type Action } from './actions.ts';
import { assignedTip, Avatar } from './Avatar.tsx';
import { PriorityMark } from './PriorityMark.tsx';
import styles from './TriageButtons.module.css';
import type { MenuKind } from './TriageMenu.tsx';
import type { Target } from './use-triage.ts';

export type OpenMenu = (kind: MenuKind, anchor: Element) => void;

/** What is done with an issue most, with how it stands: resolve, archive, who has it, how much it matters, bookmark. */
export function TriageButtons({
  issue,
  onAct,
  onMenu,
}: {
  readonly issue: Target;
  readonly onAct: (action: Action) => void;
  readonly onMenu: OpenMenu;
}) {
  const { status, assignedTo, priority, isBookmarked } = issue;
  return (
    <>
      {status === 'unresolved' ? (
        <>
          <Split
            main={
              <Button
                variant="primary"
                size="small"
                icon={<ResolveIcon size={14} />}
                tip={withKey('Resolve', 'issue.resolve')}
                onClick={() => onAct(resolve())}
              >
                Resolve
              </Button>
            }
            kind="resolve"
            label="Resolve in…"
            tip={withKey('In a release, by a commit', 'issue.resolve-how')}
            primary
            onMenu={onMenu}
          />
          <Split
            main={
              <Button
                size="small"
                icon={<ArchiveIcon size={14} />}
                tip={withKey('Archive until it escalates', 'issue.archive')}
                onClick={() => onAct(archive())}
              >
                Archive
              </Button>
            }
            kind="archive"
            label="Archive until…"
            tip={withKey('For a time, until more events', 'issue.archive-how')}
            onMenu={onMenu}
          />
        </>
      ) : (
        <>
          <Button
            size="small"
            icon={<ReopenIcon size={14} />}
            tip={withKey('Reopen', status === 'resolved' ? 'issue.resolve' : 'issue.archive')}
            onClick={() => onAct(reopen)}
          >
            Reopen
          </Button>
          {status === 'resolved' && (
            <Button
              size="small"
              tip={withKey('In another release', 'issue.resolve-how')}
              data-menu="resolve"
              onClick={(event) => onMenu('resolve', event.currentTarget)}
            >
              Resolved in…
            </Button>
          )}
          {status === 'ignored' && (
            <Button
              size="small"
              tip={withKey('Until something else', 'issue.archive-how')}
              data-menu="archive"
              onClick={(event) => onMenu('archive', event.currentTarget)}
            >
              Archived until…
            </Button>
          )}
        </>
      )}
      <Button
        size="small"
        icon={<Avatar who={assignedTo} />}
        className={styles.assign}
        data-menu="assign"
        aria-label={assignedTo ? `${assignedTip(assignedTo)}. Assign to…` : 'Assign to…'}
        aria-haspopup="dialog"
        tip={withKey(assignedTip(assignedTo), 'issue.assign')}
        onClick={(event) => onMenu('assign', event.currentTarget)}
      >
        <span className={styles.name}>{assignedTo ? assigneeName(assignedTo) : 'Assign'}</span>
      </Button>
      <Button
        size="small"
        data-menu="priority"
        aria-haspopup="dialog"
        aria-label={`${priority} priority. Set the priority…`}
        tip={withKey('Priority', 'issue.priority')}
        onClick={(event) => onMenu('priority', event.currentTarget)}
      >
        <PriorityMark priority={priority} word />
      </Button>
      <IconButton
        size="small"
        label={isBookmarked ? 'Remove the bookmark' : 'Bookmark'}
        tip={withKey(isBookmarked ? 'Remove the bookmark' : 'Bookmark', 'issue.bookmark')}
        aria-pressed={isBookmarked}
        icon={<BookmarkIcon size={14} className={cx(isBookmarked && styles.marked)} />}
        onClick={() => onAct(bookmark(!isBookmarked))}
      />
    </>
  );
}

/** A button, and beside it the one that opens the menu of its other ways. */
export function Split({
  main,
  kind,
  label,
  tip,
  primary = false,
  onMenu,
}: {
  readonly main: ReactNode;
  readonly kind: MenuKind;
  readonly label: string;
  readonly tip: string;
  readonly primary?: boolean;
  readonly onMenu: OpenMenu;
}) {
  return (
    <span className={styles.split}>
      {main}
      <Button
        size="small"
        variant={primary ? 'primary' : 'normal'}
        icon={<MenuIcon size={14} />}
        data-menu={kind}
        data-primary={primary || undefined}
        aria-label={label}
        aria-haspopup="dialog"
        tip={tip}
        onClick={(event) => onMenu(kind, event.currentTarget.parentElement ?? event.currentTarget)}
      />
    </span>
  );
}
