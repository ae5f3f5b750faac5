import { Link, useSearch } from '@tanstack/react-router';
import * as m from '../../messages/filters.ts';
import styles from './Narrowed.module.css';
import { chosen } from './travel.ts';

/** For a page without a filter bar: the filters that it obeys, and a link to drop them. */
export function Narrowed({ by }: { readonly by: readonly ('project' | 'environment')[] }) {
  const filters = useSearch({ from: '/shell' });
  const shown = (name: 'project' | 'environment') =>
    by.includes(name) && filters[name] && <b translate="no">{filters[name]}</b>;
  const [project, environment] = [shown('project'), shown('environment')];
  if (!project && !environment) return null;
  return (
    <p className={styles.narrowed}>
      <span>
        {project && environment
          ? m.onlyBoth({ project, environment })
          : project
            ? m.onlyProject({ name: project })
            : m.onlyEnvironment({ name: environment })}
      </span>
      <Link
        to="."
        search={(before) =>
          chosen(before, {
            ...(project && { project: undefined }),
            ...(environment && { environment: undefined }),
          })
        }
      >
        {m.showAll}
      </Link>
    </p>
  );
}
