import { useState } from 'react';
import * as m from '../../messages/traces.ts';
import { compactNumber, percent } from '../../ui/numbers.ts';
import { utcTime } from '../../ui/relative-time.ts';
import styles from './FieldList.module.css';
import type { TraceFields } from './queries.ts';
import { differences, fieldLabels, type FieldName } from './words.ts';

const shownFirst = 5;

type OnValue = (field: FieldName, value: string | undefined) => void;

/** Values of the requests with how many have each. A click filters by one, another click takes the filter away. */
export function FieldList({
  fields,
  everything,
  chosen,
  onValue,
}: {
  readonly fields: TraceFields;
  /** Of all requests, where `fields` is about a part of the heatmap. */
  readonly everything: TraceFields | undefined;
  /** The value that is filtered by, of each field. */
  readonly chosen: Readonly<Partial<Record<FieldName, string | undefined>>>;
  readonly onValue: OnValue;
}) {
  return (
    <>
      {everything && <Differs fields={fields} everything={everything} onValue={onValue} />}
      {!fields.whole && (
        <p className={styles.partial}>{m.valuesPartial({ count: fields.count, since: utcTime(fields.from * 1000) })}</p>
      )}
      {fields.fields.map((each) => (
        <Field key={each.field} {...each} total={fields.count} chosen={chosen[each.field]} onValue={onValue} />
      ))}
    </>
  );
}

function Field({
  field,
  values,
  more,
  total,
  chosen,
  onValue,
}: TraceFields['fields'][number] & {
  readonly total: number;
  readonly chosen: string | undefined;
  readonly onValue: OnValue;
}) {
  const [all, setAll] = useState(false);
  const label = fieldLabels[field];
  const shown = all ? values : values.slice(0, shownFirst);
  return (
    <section className={styles.values} aria-label={label}>
      <h2>{label}</h2>
      <ul>
        {shown.map(({ value, count, failed }) => (
          <li key={value}>
            <button
              type="button"
              className={styles.value}
              aria-pressed={value === chosen}
              aria-label={m.value({ value, share: percent(count, total) })}
              onClick={() => onValue(field, value === chosen ? undefined : value)}
              data-tip={failed ? m.valueTipFailed({ count, total, failed }) : m.valueTip({ count, total })}
            >
              <i style={{ inlineSize: `${(count / Math.max(1, total)) * 100}%` }} />
              <span className={styles.name} translate="no">
                {value}
              </span>
              <span className={styles.count}>{compactNumber(count)}</span>
            </button>
          </li>
        ))}
      </ul>
      {values.length > shownFirst && (
        <button type="button" className={styles.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all
            ? m.fewer
            : more
              ? m.moreAtLeast({ count: values.length - shownFirst })
              : m.more({ count: values.length - shownFirst })}
        </button>
      )}
    </section>
  );
}

function Differs({
  fields,
  everything,
  onValue,
}: {
  readonly fields: TraceFields;
  readonly everything: TraceFields;
  readonly onValue: OnValue;
}) {
  const found = differences(fields, everything);
  return (
    <section className={styles.differs} aria-label={m.differs}>
      <h2>{m.differs}</h2>
      {found.length ? (
        <ul>
          {found.map(({ field, value, here, all }) => (
            <li key={`${field} ${value}`}>
              <button type="button" className={styles.difference} onClick={() => onValue(field, value)}>
                <span className={styles.name} translate="no">
                  {value}
                </span>
                <span className={styles.against}>
                  {m.difference({ field: fieldLabels[field], here: percent(here, 1), all: percent(all, 1) })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.partial}>{m.noDifference}</p>
      )}
    </section>
  );
}
