import { Link } from '@tanstack/react-router';
import { between } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import type { TracesSearch } from '../../features/traces/search.ts';
import { spanWords } from '../../features/traces/times.ts';
import { type Chip, chipsOf, regionOf } from '../../features/traces/words.ts';
import * as m from '../../messages/traces.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { chipClass, Chips as ChipList, ChipText } from '../../ui/Chip.tsx';
import { ZoomInIcon } from '../../ui/icons.ts';
import styles from './TracesPage.module.css';

/** What narrows the list beside the shared filter, each with a way to take it away. */
export function Chips({ search }: { readonly search: TracesSearch }) {
  const chips = chipsOf(search, spanWords);
  const { since, before } = regionOf(search);
  if (!chips.length) return null;
  return (
    <div className={styles.chosen}>
      <ChipList label={m.filters}>
        {chips.map((chip) => (
          <FilterChip key={chip.key} chip={chip} />
        ))}
        {since !== undefined && before !== undefined && (
          <Link
            from="/traces"
            to="."
            search={(all) => ({ ...chosen(all, between(since * 1000, before * 1000)), t: undefined })}
            className={buttonClass('ghost', 'small')}
          >
            <ZoomInIcon size={14} /> {m.zoom}
          </Link>
        )}
      </ChipList>
    </div>
  );
}

export function FilterChip({ chip: { label, value, without } }: { readonly chip: Chip }) {
  return (
    <Link
      from="/traces"
      to="."
      search={() => without}
      activeOptions={{ exact: true }}
      className={chipClass}
      aria-label={m.removeFilter({ name: label, value })}
    >
      <ChipText name={label} removes>
        <code>{value}</code>
      </ChipText>
    </Link>
  );
}
