import { Link } from '@tanstack/react-router';
import * as m from '../../messages/performance.ts';
import { tabClass, Tabs } from '../../ui/Tabs.tsx';
import styles from './performance.module.css';

/** One path begins with the other; what is filtered makes no difference. */
const exactly = { exact: true, includeSearch: false };

/** The parts of the pages about performance. */
export function PerformanceTabs() {
  return (
    <div className={styles.views}>
      <Tabs label={m.title}>
        <Link to="/performance" className={tabClass} activeOptions={exactly}>
          {m.tabs.transactions}
        </Link>
        <Link to="/performance/queries" className={tabClass} activeOptions={exactly}>
          {m.tabs.queries}
        </Link>
        <Link to="/performance/vitals" className={tabClass} activeOptions={exactly}>
          {m.tabs.vitals}
        </Link>
        <Link to="/performance/queues" className={tabClass} activeOptions={exactly}>
          {m.tabs.queues}
        </Link>
      </Tabs>
    </div>
  );
}
