import { Link } from '@tanstack/react-router';
import { dataSetNames, type DataSet } from '../../features/explore/data-sets.ts';
import { withDataSet } from '../../features/explore/question.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { exactly } from '../../features/explore/exactly.ts';
import * as m from '../../messages/explore.ts';
import styles from './Question.module.css';

/** Which rows the question is about. */
export function DataSets({ search, current }: { readonly search: ExploreSearch; readonly current: DataSet }) {
  return (
    <nav className={styles.sets} aria-label={m.dataSet}>
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
          {m.dataSets[name]}
        </Link>
      ))}
    </nav>
  );
}
