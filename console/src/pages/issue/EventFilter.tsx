import { getRouteApi } from '@tanstack/react-router';
import { RemoveIcon } from '../../ui/icons.ts';
import { asOne, splitTerms } from '../../features/issues/query-terms.ts';
import styles from './EventFilter.module.css';

const route = getRouteApi('/shell/issues/$issue');

/** Which of the events are looked at; each term goes with a click. */
export function EventFilter({ filter }: { readonly filter: string }) {
  const navigate = route.useNavigate();
  const terms = splitTerms(asOne(filter));
  if (terms.length === 0) return null;
  const without = (term: string): string | undefined => terms.filter((each) => each !== term).join(' ') || undefined;
  return (
    <ul className={styles.filters} aria-label="Filter of the events">
      {terms.map((term) => (
        <li key={term}>
          <button
            type="button"
            className={styles.chip}
            aria-label={`Remove ${term}`}
            onClick={() =>
              void navigate({
                search: (before) => ({ ...before, q: without(term), event: undefined, cursor: undefined }),
              })
            }
          >
            <code>{term}</code>
            <RemoveIcon size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
