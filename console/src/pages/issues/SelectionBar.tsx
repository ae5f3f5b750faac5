import { Archive, CheckCheck, RotateCcw } from 'lucide-react';
import type { StatusTab } from '../../features/issues/list-question.ts';
import { MergeMenu } from '../../features/grouping/MergeMenu.tsx';
import { withKey } from '../../features/commands/commands.ts';
import type { Issue } from '../../features/issues/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import styles from './IssuesPage.module.css';

interface Props {
  /** The selected ones. */
  readonly issues: readonly Issue[];
  readonly all: boolean;
  readonly tab: StatusTab;
  readonly onAll: (on: boolean) => void;
  readonly onStatus: (status: 'resolved' | 'ignored' | 'unresolved') => void;
  readonly onMerge: (into: Issue) => void;
  readonly onMerged: (into: { readonly shortId: string }) => void;
}

/** Takes the place of the tabs while rows are selected. */
export function SelectionBar({ issues, all, tab, onAll, onStatus, onMerge, onMerged }: Props) {
  return (
    <div className={styles.selection} role="toolbar" aria-label="Selected issues">
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={all}
          ref={(box) => void (box && (box.indeterminate = !all))}
          onChange={(event) => onAll(event.target.checked)}
          aria-label="Select all on this page"
        />
      </label>
      <output>{exactNumber(issues.length)} selected</output>
      {tab !== 'resolved' && (
        <Button
          size="small"
          icon={<CheckCheck size={14} />}
          tip={withKey('Resolve', 'issue.resolve')}
          onClick={() => onStatus('resolved')}
        >
          Resolve
        </Button>
      )}
      {tab !== 'archived' && (
        <Button
          size="small"
          icon={<Archive size={14} />}
          tip={withKey('Archive', 'issue.archive')}
          onClick={() => onStatus('ignored')}
        >
          Archive
        </Button>
      )}
      {tab !== 'unresolved' && (
        <Button size="small" icon={<RotateCcw size={14} />} onClick={() => onStatus('unresolved')}>
          Reopen
        </Button>
      )}
      <MergeMenu issues={issues} onMerge={onMerge} onMerged={onMerged} />
      <Button size="small" variant="ghost" onClick={() => onAll(false)}>
        Clear
      </Button>
    </div>
  );
}
