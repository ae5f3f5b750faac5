import { useNavigate } from '@tanstack/react-router';
import { RemoveIcon } from '../../ui/icons.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import styles from './TransactionPage.module.css';

/** What of the transactions is looked at, each part removable. Nothing where it is all of them. */
export function Chosen({ search }: { readonly search: TransactionSearch }) {
  const navigate = useNavigate({ from: '/performance/transaction' });
  const { release, tag, from, until } = search;
  const parts = [
    ...(release ? [{ label: `release: ${release}`, without: { release: undefined } }] : []),
    ...(tag ? [{ label: tag.replace(':', ': '), without: { tag: undefined } }] : []),
    ...(from !== undefined || until !== undefined
      ? [{ label: rangeWords(from, until), without: { from: undefined, until: undefined } }]
      : []),
  ];
  if (!parts.length) return null;
  return (
    <ul className={styles.chosen} aria-label="Filters">
      {parts.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            className={styles.chip}
            aria-label={`Remove ${label}`}
            onClick={() => void navigate({ search: (before) => ({ ...before, ...without }), resetScroll: false })}
          >
            <span>{label}</span>
            <RemoveIcon size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function rangeWords(from: number | undefined, until: number | undefined): string {
  if (until === undefined) return `from ${milliseconds(from ?? 0)}`;
  return from ? `${milliseconds(from)} to ${milliseconds(until)}` : `under ${milliseconds(until)}`;
}
