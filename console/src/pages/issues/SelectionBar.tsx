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
import type { Selection } from './use-selection.ts';

interface Props {
  readonly selection: Selection;
  /** How many are on this page. */
  readonly shown: number;
  /** How many the search finds, when that is known; undefined where there are more than the page has, none where it has all. */
  readonly matching: number | undefined | 'all here';
  readonly tab: StatusTab;
  readonly onAct: (action: Action) => void;
  readonly onMenu: OpenMenu;
  readonly onDelete: (discard: boolean) => void;
  readonly onMerge: (into: Issue) => void;
  readonly onMerged: (into: { readonly shortId: string }) => void;
}

/** Takes the place of the tabs while rows are selected. */
export function SelectionBar({ selection, shown, matching, tab, onAct, onMenu, onDelete, onMerge, onMerged }: Props) {
  const { chosen, whole } = selection;
  const all = chosen.length === shown;
  const everything = typeof matching === 'number' ? `all ${exactNumber(matching)}` : 'all';
  return (
    <div className={styles.selection} role="toolbar" aria-label="Selected issues">
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={all}
          ref={(box) => void (box && (box.indeterminate = !all))}
          onChange={(event) => selection.all(event.target.checked)}
          aria-label="Select all on this page"
        />
      </label>
      <output>
        {whole
          ? `${everything[0]?.toUpperCase()}${everything.slice(1)} that match`
          : `${exactNumber(chosen.length)} selected`}
      </output>
      {all && !whole && matching !== 'all here' && (
        <Button size="small" variant="ghost" className={styles.everything} onClick={selection.everything}>
          Select {everything} that match
        </Button>
      )}
      {tab !== 'resolved' && (
        <Split
          main={
            <Button
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
          onMenu={onMenu}
        />
      )}
      {tab !== 'archived' && (
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
      )}
      {tab !== 'unresolved' && (
        <Button size="small" icon={<ReopenIcon size={14} />} onClick={() => onAct(reopen)}>
          Reopen
        </Button>
      )}
      <Button
        size="small"
        data-menu="assign"
        aria-haspopup="dialog"
        tip={withKey('Assign', 'issue.assign')}
        onClick={(event) => onMenu('assign', event.currentTarget)}
      >
        Assign
      </Button>
      <Button
        size="small"
        data-menu="priority"
        aria-haspopup="dialog"
        tip={withKey('Priority', 'issue.priority')}
        onClick={(event) => onMenu('priority', event.currentTarget)}
      >
        Priority
      </Button>
      {!whole && <MergeMenu issues={chosen} onMerge={onMerge} onMerged={onMerged} />}
      <Menu
        label="More actions"
        renderTrigger={(props) => (
          <Button {...props} size="small" icon={<MoreIcon size={14} />} aria-label="More actions" />
        )}
      >
        <MenuItem icon={<BookmarkIcon size={14} />} onSelect={() => onAct(bookmark(true))}>
          Bookmark
        </MenuItem>
        <MenuItem icon={<NotifyIcon size={14} />} onSelect={() => onAct(subscribe(true))}>
          Subscribe
        </MenuItem>
        <MenuItem icon={<DeleteIcon size={14} />} onSelect={() => onDelete(false)}>
          Delete…
        </MenuItem>
        <MenuItem icon={<DiscardIcon size={14} />} onSelect={() => onDelete(true)}>
          Delete, and discard what comes…
        </MenuItem>
      </Menu>
      <Button size="small" variant="ghost" tip={withKey('Clear', 'list.clear')} onClick={selection.clear}>
        Clear
      </Button>
    </div>
  );
}
