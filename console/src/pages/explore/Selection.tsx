import { Link } from '@tanstack/react-router';
import { CloseIcon, ZoomInIcon } from '../../ui/icons.ts';
import { selectionOf, withoutSelection, zoomed } from '../../features/explore/question.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { spanWords } from '../../features/traces/times.ts';
import * as m from '../../messages/explore.ts';
import styles from './ExplorePage.module.css';

/** The part that was chosen: it can become the range of the page, or be cleared. */
export function Selection({ search }: { readonly search: ExploreSearch }) {
  const span = selectionOf(search);
  const { subset } = search;
  if (!span && !subset) return null;
  return (
    <p className={styles.selection}>
      <span>
        {m.selected({ what: span ? <b>{spanWords(span.from, span.until)}</b> : <code>{subset}</code> })}
        {span && subset && (
          <>
            {' '}
            <code>{subset}</code>
          </>
        )}
      </span>
      {span && (
        <Link from="/explore" to="." search={zoomed(search, span)} className={styles.act}>
          <ZoomInIcon size={14} /> {m.zoom}
        </Link>
      )}
      <Link from="/explore" to="." search={withoutSelection(search)} className={styles.act}>
        <CloseIcon size={14} /> {m.clearSelection}
      </Link>
    </p>
  );
}
