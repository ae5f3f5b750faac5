import { useDeferredValue, useMemo, useState } from 'react';
import { JsonValue } from '../event/JsonValue.tsx';
import { KeyValues } from '../event/KeyValues.tsx';
import * as m from '../../messages/waterfall.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { SearchInput } from '../../ui/Toolbar.tsx';
import { type Attribute, cutGroups, groupAttributes } from './attributes.ts';
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
    <Panel title={m.attributes} id="attributes" count={total} boxed={false}>
      <Stack gap={8}>
        {total >= searchableFrom && (
          <SearchInput
            label={m.searchAttributes}
            placeholder={m.searchAttributes}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setMost(atOnce);
            }}
            end={wanted && <output>{exactNumber(found)}</output>}
          />
        )}
        {total > 0 && found === 0 && <Nothing>{m.noAttribute}</Nothing>}
        {cutGroups(groups, most).map(({ name, isData, attributes }) => (
          <section key={name} aria-label={name}>
            <h4 className={styles.group} translate={isData ? 'no' : undefined}>
              {name}
            </h4>
            <KeyValues rows={attributes.map(rowOf)} label={name} />
          </section>
        ))}
        {found > most && (
          <Button size="small" onClick={() => setMost(most + atOnce)}>
            {m.showMore({ count: found - most })}
          </Button>
        )}
      </Stack>
    </Panel>
  );
}

const rowOf = ({ key, value, shown }: Attribute) => ({
  key,
  value,
  shown: (
    <span className={styles.value}>
      {shown === undefined ? <JsonValue value={value} /> : <span data-tip={value}>{shown}</span>}
      <CopyButton className={styles.copy} text={value} label={m.copyAttribute({ key })} />
    </span>
  ),
});
