import type { DataSet } from '@culprit/search';
import { HelpIcon } from '../../ui/icons.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Popover } from '../../ui/Popover.tsx';
import styles from './SearchHelp.module.css';

const rows: readonly (readonly [text: string, meaning: string])[] = [
  ['cannot read', 'These words, anywhere in title, message or value'],
  ['level:error', 'A field or tag has this value'],
  ['!level:info', 'It does not, or is absent'],
  ['release:[1.0, 1.1]', 'Any of these'],
  ['url:*/cart*', 'With anything for the stars'],
  ['browser:"Mobile Safari"', 'Quotes hold blanks together'],
  ['has:user.email', 'The field is there'],
  ['timestamp:-24h', 'In the last 24 hours; +24h is before that'],
  ['tags[level]:x', 'The tag, where a field has the same name'],
  ['(a:1 OR b:2) c:3', 'AND stands where nothing is written'],
];

/** The language in a small table. */
export function SearchHelp({ dataSet }: { readonly dataSet: DataSet }) {
  return (
    <Popover
      label="How to search"
      align="end"
      className={styles.help}
      renderTrigger={(props) => (
        <IconButton {...props} size="small" label="How to search" icon={<HelpIcon size={14} />} />
      )}
    >
      {() => (
        <>
          <h2 className={styles.title}>How to search</h2>
          <dl className={styles.rows}>
            {rows.map(([text, meaning]) => (
              <div key={text}>
                <dt>
                  <code>{text}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
            {dataSet === 'spans' && (
              <div>
                <dt>
                  <code>{'span.duration:>1.5s'}</code>
                </dt>
                <dd>Compared with a number and its unit</dd>
              </div>
            )}
          </dl>
          {dataSet === 'issues' && (
            <p className={styles.surprise}>
              <strong>One event fulfils all of it.</strong> An issue is found when at least one of its events in the
              time range fulfils every term about events. So <code>!release:1.0</code> finds issues that have an event
              of another release, and not those that never had one of 1.0.
            </p>
          )}
        </>
      )}
    </Popover>
  );
}
