import { useQuery } from '@tanstack/react-query';
import * as m from '../../messages/source-maps.ts';
import { useOrg } from '../session/organization.ts';
import { symbolicationQuery } from './queries.ts';
import styles from './SymbolicationProgress.module.css';

/** One line while events are symbolicated again after an upload; nothing else. */
export function SymbolicationProgress({ project }: { readonly project: string }) {
  const { data } = useQuery(symbolicationQuery(useOrg(), project));
  return (
    <output className={styles.line}>
      {data?.running && (
        <>
          <progress max={Math.max(1, data.total)} value={data.done} aria-label={m.progressLabel} />
          <span>{m.progress({ done: data.done, total: data.total })}</span>
        </>
      )}
    </output>
  );
}
