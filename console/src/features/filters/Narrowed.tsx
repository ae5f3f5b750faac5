import { Link, useSearch } from '@tanstack/react-router';
import styles from './Narrowed.module.css';
import { chosen } from './travel.ts';

/** Where a page has no bar: what it obeys all the same, and the way out of it. */
export function Narrowed({ by }: { readonly by: readonly ('project' | 'environment')[] }) {
  const filters = useSearch({ from: '/shell' });
  const held = by.filter((name) => filters[name]);
  if (held.length === 0) return null;
  return (
    <p className={styles.narrowed}>
      <span>
        Only{' '}
        {held.map((name, index) => (
          <span key={name}>
            {index > 0 && ', '}
            {name} <b>{filters[name]}</b>
          </span>
        ))}
      </span>
      <Link to="." search={(before) => chosen(before, Object.fromEntries(held.map((name) => [name, undefined])))}>
        Show all
      </Link>
    </p>
  );
}
