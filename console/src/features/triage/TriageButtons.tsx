import { ArchiveIcon, BookmarkIcon, MenuIcon, ReopenIcon, ResolveIcon } from '../../ui/icons.ts';
import type { ReactNode } from 'react';
import * as m from '../../messages/triage.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { withKey } from '../commands/shortcuts.ts';
import { archive, assigneeName, bookmark, reopen, resolve, type Action } from './actions.ts';
import { assignedTip } from './assigned-tip.ts';
import { Avatar } from './Avatar.tsx';
import { PriorityMark } from './PriorityMark.tsx';
import styles from './TriageButtons.module.css';
import type { MenuKind } from './TriageMenu.tsx';
import type { Target } from './use-triage.ts';

export type OpenMenu = (kind: MenuKind, anchor: Element) => void;

/** The most frequent actions on an issue, with its state: resolve, archive, assignee, priority, bookmark. */
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
                tip={withKey(m.resolve, 'issue.resolve')}
                onClick={() => onAct(resolve())}
              >
                {m.resolve}
              </Button>
            }
            kind="resolve"
            label={m.resolveHow}
            tip={withKey(m.resolveHowTip, 'issue.resolve-how')}
            primary
            onMenu={onMenu}
          />
          <Split
            main={
              <Button
                size="small"
                icon={<ArchiveIcon size={14} />}
                tip={withKey(m.archiveTip, 'issue.archive')}
                onClick={() => onAct(archive())}
              >
                {m.archive}
              </Button>
            }
            kind="archive"
            label={m.archiveHow}
            tip={withKey(m.archiveHowTip, 'issue.archive-how')}
            onMenu={onMenu}
          />
        </>
      ) : (
        <>
          <Button
            size="small"
            icon={<ReopenIcon size={14} />}
            tip={withKey(m.reopen, status === 'resolved' ? 'issue.resolve' : 'issue.archive')}
            onClick={() => onAct(reopen)}
          >
            {m.reopen}
          </Button>
          {status === 'resolved' && (
            <Button
              size="small"
              tip={withKey(m.resolvedHowTip, 'issue.resolve-how')}
              data-menu="resolve"
              onClick={(event) => onMenu('resolve', event.currentTarget)}
            >
              {m.resolvedHow}
            </Button>
          )}
          {status === 'ignored' && (
            <Button
              size="small"
              tip={withKey(m.archivedHowTip, 'issue.archive-how')}
              data-menu="archive"
              onClick={(event) => onMenu('archive', event.currentTarget)}
            >
              {m.archivedHow}
            </Button>
          )}
        </>
      )}
      <Button
        size="small"
        icon={<Avatar who={assignedTo} />}
        className={styles.assign}
        data-menu="assign"
        aria-label={assignedTo ? m.assignedHow({ name: assigneeName(assignedTo) }) : m.assignHow}
        aria-haspopup="dialog"
        tip={withKey(assignedTip(assignedTo), 'issue.assign')}
        onClick={(event) => onMenu('assign', event.currentTarget)}
      >
        {assignedTo ? (
          <span className={styles.name} translate="no">
            {assigneeName(assignedTo)}
          </span>
        ) : (
          m.assign
        )}
      </Button>
      <Button
        size="small"
        data-menu="priority"
        aria-haspopup="dialog"
        aria-label={m.priorityButtons[priority]}
        tip={withKey(m.priority, 'issue.priority')}
        onClick={(event) => onMenu('priority', event.currentTarget)}
      >
        <PriorityMark priority={priority} word />
      </Button>
      <IconButton
        size="small"
        label={isBookmarked ? m.removeBookmark : m.bookmark}
        tip={withKey(isBookmarked ? m.removeBookmark : m.bookmark, 'issue.bookmark')}
        aria-pressed={isBookmarked}
        icon={<BookmarkIcon size={14} className={cx(isBookmarked && styles.marked)} />}
        onClick={() => onAct(bookmark(!isBookmarked))}
      />
    </>
  );
}

/** A button, and next to it the one that opens the menu of its variants. */
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
