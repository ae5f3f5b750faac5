import { Link } from '@tanstack/react-router';
import styles from './performance.module.css';

/** One path begins with the other; what is filtered makes no difference. */
const exactly = { exact: true, includeSearch: false };

/** Both parts of the pages about performance. */
export function PerformanceTabs() {
  return (
    <nav className={styles.tabs} aria-label="Performance">
      <Link to="/performance" className={styles.tab} activeOptions={exactly}>
        Transactions
      </Link>
      <Link to="/performance/vitals" className={styles.tab} activeOptions={exactly}>
        Web vitals
      </Link>
    </nav>
  );
}
