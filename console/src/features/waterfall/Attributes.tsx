import { SearchIcon } from '../../ui/icons.ts';
import { useDeferredValue, useMemo, useState } from 'react';
import { JsonValue } from '../event/JsonValue.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { exactNumber, plural } from '../../ui/numbers.ts';
import { cutGroups, groupAttributes } from './attributes.ts';
import styles from './SpanPanel.module.css';

/** Rows at first, and as many more at each wish: a span may carry ten thousand. */
const atOnce = 200;
const searchableFrom = 12;

/** The attributes of a span by group, searched by key and value. */
export function Attributes({
  texts,
  numbers,
}: {
  readonly texts: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
}) {
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(atOnce);
  const wanted = useDeferredValue(search);
  const groups = useMemo(() => groupAttributes(texts, numbers, wanted), [texts, numbers, wanted]);
  const total = Object.keys(texts).length + Object.keys(numbers).length;
  const found = groups.reduce((sum, { attributes }) => sum + attributes.length, 0);
  return (
    <section className={styles.section} aria-label="Attributes">
      <h3>{plural(total, 'attribute')}</h3>
      {total >= searchableFrom && (
        <label className={styles.search}>
          <SearchIcon size={14} aria-hidden="true" />
          <input
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setMost(atOnce);
            }}
            placeholder="Search attributes"
            aria-label="Search attributes"
          />
          <output className={styles.faint}>{wanted && exactNumber(found)}</output>
        </label>
      )}
      {cutGroups(groups, most).map(({ name, attributes }) => (
        <section key={name} aria-label={name}>
          <h4 className={styles.group}>{name}</h4>
          <dl className={styles.attributes}>
            {attributes.map(({ key, value, shown: withUnit }) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>
                  {withUnit === undefined ? <JsonValue value={value} /> : <span data-tip={value}>{withUnit}</span>}
                  <CopyButton className={styles.copy} text={value} label={`Copy ${key}`} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {found > most && (
        <Button size="small" onClick={() => setMost(most + atOnce)}>
          {`Show more of the ${exactNumber(found - most)} left`}
        </Button>
      )}
    </section>
  );
}
