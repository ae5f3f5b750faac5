import { MarkedValue } from '../event/ScrubMark.tsx';
import { scrubbedBelow } from '../event/scrubbed.ts';
import type { Frame } from '../event/types.ts';
import { useMarks } from '../event/use-marks.ts';
import * as m from '../../messages/stack-parts.ts';
import styles from './stacktrace.module.css';

/** Local variables of a frame, as names and values, with marks at those that scrubbing changed. */
export function Variables({ frame }: { readonly frame: Frame }) {
  const { found, project } = useMarks(frame);
  return (
    <dl className={styles.vars} aria-label={m.variables}>
      {Object.entries(frame.vars ?? {}).map(([name, value]) => (
        <div key={name}>
          <dt translate="no">{name}</dt>
          <dd>
            <MarkedValue value={value} found={scrubbedBelow(found, ['vars', name])} project={project} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
