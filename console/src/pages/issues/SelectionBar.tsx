import {
  ArchiveIcon,
  BookmarkIcon,
  DeleteIcon,
  DiscardIcon,
  MoreIcon,
  NotifyIcon,
  ReopenIcon,
  ResolveIcon,
} from '../../ui/icons.ts';
import * as m from '../../messages/issues.ts';
import * as t from '../../messages/triage.ts';
import type { StatusTab } from '../../features/issues/list-question.ts';
import { MergeMenu } from '../../features/grouping/MergeMenu.tsx';
import { withKey } from '../../features/commands/shortcuts.ts';
import type { Issue } from '../../features/issues/queries.ts';
import { archive, bookmark, reopen, resolve, subscribe, type Action } from '../../features/triage/actions.ts';
import { Split, type OpenMenu } from '../../features/triage/TriageButtons.tsx';
import { Button } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import styles from './IssuesPage.module.css';
import type { IssueList } from './use-issue-list.ts';

export interface Props {
  readonly chosen: readonly Issue[];
  /** All that the search finds, not only those. */
  readonly whole: boolean;
  readonly select: IssueList['select'];
  /** The number on this page. */
  readonly shown: number;
  /** The number that the search finds; undefined where it is unknown. */
  readonly matching: number | undefined | 'all-here';
  readonly tab: StatusTab;
  readonly onAct: (action: Action) => void;
  readonly onMenu: OpenMenu;
  /** For who may delete. */
  readonly onDelete: ((discard: boolean) => void) | undefined;
  readonly onMerge: (into: Issue) => void;
  readonly onMerged: (into: { readonly shortId: string }) => void;
}

/** Takes the place of the tabs while rows are selected. */
export function SelectionBar({
  chosen,
  whole,
  select,
  shown,
  matching,
  tab,
  onAct,
  onMenu,
  onDelete,
  onMerge,
  onMerged,
}: Props) {
  const all = chosen.length === shown;
  const count = typeof matching === 'number' ? exactNumber(matching) : undefined;
  return (
    <div className={styles.selection} role="toolbar" aria-label={m.selectedIssues}>
      <label className={styles.box}>
        <input
          type="checkbox"
          checked={all}
          ref={(box) => void (box && (box.indeterminate = !all))}
          onChange={(event) => select.page(event.target.checked)}
          aria-label={m.selectPage}
        />
      </label>
      <output>
        {!whole
          ? m.selected({ count: chosen.length })
          : count === undefined
            ? m.allSelectedUncounted
            : m.allSelected({ count })}
      </output>
      {all && !whole && matching !== 'all-here' && (
        <Button size="small" variant="ghost" className={styles.everything} onClick={select.all}>
          {count === undefined ? m.selectAllUncounted : m.selectAll({ count })}
        </Button>
      )}
      {tab !== 'resolved' && (
        <Split
          main={
            <Button
              size="small"
              icon={<ResolveIcon size={14} />}
              tip={withKey(t.resolve, 'issue.resolve')}
              onClick={() => onAct(resolve())}
            >
              {t.resolve}
            </Button>
          }
          kind="resolve"
          label={t.resolveHow}
          tip={withKey(t.resolveHowTip, 'issue.resolve-how')}
          onMenu={onMenu}
        />
      )}
      {tab !== 'archived' && (
        <Split
          main={
            <Button
              size="small"
              icon={<ArchiveIcon size={14} />}
              tip={withKey(t.archiveTip, 'issue.archive')}
              onClick={() => onAct(archive())}
            >
              {t.archive}
            </Button>
          }
          kind="archive"
          label={t.archiveHow}
          tip={withKey(t.archiveHowTip, 'issue.archive-how')}
          onMenu={onMenu}
        />
      )}
      {tab !== 'unresolved' && (
        <Button size="small" icon={<ReopenIcon size={14} />} onClick={() => onAct(reopen)}>
          {t.reopen}
        </Button>
      )}
      <Button
        size="small"
        data-menu="assign"
        aria-haspopup="dialog"
        tip={withKey(t.assign, 'issue.assign')}
        onClick={(event) => onMenu('assign', event.currentTarget)}
      >
        {t.assign}
      </Button>
      <Button
        size="small"
        data-menu="priority"
        aria-haspopup="dialog"
        tip={withKey(t.priority, 'issue.priority')}
        onClick={(event) => onMenu('priority', event.currentTarget)}
      >
        {t.priority}
      </Button>
      {!whole && <MergeMenu issues={chosen} onMerge={onMerge} onMerged={onMerged} />}
      <Menu
        label={m.more}
        renderTrigger={(props) => <Button {...props} size="small" icon={<MoreIcon size={14} />} aria-label={m.more} />}
      >
        <MenuItem icon={<BookmarkIcon size={14} />} onSelect={() => onAct(bookmark(true))}>
          {t.bookmark}
        </MenuItem>
        <MenuItem icon={<NotifyIcon size={14} />} onSelect={() => onAct(subscribe(true))}>
          {m.subscribe}
        </MenuItem>
        {onDelete && (
          <>
            <MenuItem icon={<DeleteIcon size={14} />} onSelect={() => onDelete(false)}>
              {m.deleteIssues}
            </MenuItem>
            <MenuItem icon={<DiscardIcon size={14} />} onSelect={() => onDelete(true)}>
              {m.discard}
            </MenuItem>
          </>
        )}
      </Menu>
      <Button size="small" variant="ghost" tip={withKey(m.clear, 'list.clear')} onClick={select.clear}>
        {m.clear}
      </Button>
    </div>
  );
}
