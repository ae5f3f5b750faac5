import { useQuery } from '@tanstack/react-query';
import * as m from '../../messages/issues.ts';
import type { IssueListSearch } from '../../features/issues/list-question.ts';
import { savedSearchesQuery } from '../../features/search-box/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { SavedIcon } from '../../ui/icons.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Popover } from '../../ui/Popover.tsx';
import styles from './SavedSearches.module.css';

const Panel = lazily(async () => (await import('./SavedSearchesPanel.tsx')).SavedSearchesPanel);

/** Saves the search that is shown, and lists saved ones: one's own and those that are shared. */
export function SavedSearches({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const saved = useQuery(savedSearchesQuery(org, 'issues'));
  return (
    <Popover
      label={m.savedSearches}
      align="end"
      className={styles.panel}
      renderTrigger={({ onPointerEnter, onFocus, ...props }) => (
        <Button
          {...props}
          variant="ghost"
          aria-label={m.savedSearches}
          icon={<SavedIcon size={14} />}
          onPointerEnter={() => {
            onPointerEnter();
            Panel.preload();
          }}
          onFocus={() => {
            onFocus();
            Panel.preload();
          }}
        >
          <span className={styles.word}>{m.saved}</span>
        </Button>
      )}
    >
      {(close) => <Panel search={search} saved={saved.data ?? []} onDone={close} />}
    </Popover>
  );
}
