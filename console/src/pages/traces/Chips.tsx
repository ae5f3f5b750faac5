import { Link } from '@tanstack/react-router';
import { RemoveIcon, ZoomInIcon } from '../../ui/icons.ts';
import { spanWords } from '../../features/traces/times.ts';
import type { TracesSearch } from '../../features/traces/search.ts';
import { chipsOf, regionOf } from '../../features/traces/words.ts';
import { between } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import styles from './TracesPage.module.css';

/** What narrows the list beside the shared filter, each with a way to take it away. */
export function Chips({ search }: { readonly search: TracesSearch }) {
  const chips = chipsOf(search, spanWords);
  const { since, before } = regionOf(search);
  if (!chips.length) return null;
  return (
    <ul className={styles.chips} aria-label="Filters">
      {chips.map(({ key, label, value, without }) => (
        <li key={key}>
          <Link
            from="/traces"
            to="."
            search={() => without}
            className={styles.chip}
            aria-label={`Remove ${label} ${value}`}
          >
            <span>{label}</span>
            <code>{value}</code>
            <RemoveIcon size={12} />
          </Link>
        </li>
      ))}
      {since !== undefined && before !== undefined && (
        <li>
          <Link
            from="/traces"
            to="."
            search={(all) => ({ ...chosen(all, between(since * 1000, before * 1000)), t: undefined })}
            className={styles.zoom}
          >
            <ZoomInIcon size={14} /> Zoom into this time
          </Link>
        </li>
      )}
    </ul>
  );
}
