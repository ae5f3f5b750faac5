import { Link } from '@tanstack/react-router';
import { dataSetNames, dataSets, type DataSet } from '../../features/explore/data-sets.ts';
import { withDataSet } from '../../features/explore/question.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { exactly } from '../../features/explore/exactly.ts';
import styles from './Question.module.css';

/** Which rows are looked at. */
export function DataSets({ search, current }: { readonly search: ExploreSearch; readonly current: DataSet }) {
  return (
    <nav className={styles.sets} aria-label="Look at">
      {dataSetNames.map((name) => (
        <Link
          key={name}
          from="/explore"
          to="."
          search={() => withDataSet(search, name)}
          className={styles.set}
          activeOptions={exactly}
          aria-current={name === current ? 'page' : undefined}
        >
          {dataSets[name].label}
        </Link>
      ))}
    </nav>
  );
}
