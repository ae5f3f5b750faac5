import { Link } from '@tanstack/react-router';
import styles from './performance.module.css';

/** Both parts of the pages about performance. */
export function PerformanceTabs({ current }: { readonly current: 'transactions' | 'vitals' }) {
  const tab = (of: typeof current) => ({
    className: styles.tab,
    'aria-current': of === current ? ('page' as const) : undefined,
  });
  return (
    <nav className={styles.tabs} aria-label="Performance">
      <Link to="/performance" {...tab('transactions')}>
        Transactions
      </Link>
      <Link to="/performance/vitals" {...tab('vitals')}>
        Web vitals
      </Link>
    </nav>
  );
}
