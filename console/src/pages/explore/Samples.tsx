import { Link } from '@tanstack/react-router';
import type { Question } from '../../features/explore/question.ts';
import type { ExploreRow } from '../../features/explore/queries.ts';
import { placeOf, sampleCells, type SamplePlace } from '../../features/explore/samples.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { isNumeric, measureOf, type AnswerMeta } from '../../features/explore/values.ts';
import * as m from '../../messages/explore.ts';
import { Cell, DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ExplorePage.module.css';
import { SortHead } from './SortHead.tsx';
import { ValueButton } from './ValueButton.tsx';

interface Props {
  readonly rows: readonly ExploreRow[];
  readonly meta: AnswerMeta;
  readonly question: Question;
  readonly search: ExploreSearch;
}

/** The rows themselves; each leads to its event or trace. */
export function Samples({ rows, meta, question, search }: Props) {
  const { fields, samplesSort, dataSet } = question;
  return (
    <DataTable
      label={m.samples}
      dense
      head={
        <>
          <HeadCell>{dataSet === 'errors' ? m.event : m.trace}</HeadCell>
          {fields.map((field) => (
            <SortHead
              key={field}
              column={field}
              label={field}
              sort={samplesSort}
              search={search}
              numeric={isNumeric(measureOf(meta, field))}
            />
          ))}
        </>
      }
    >
      {rows.map((row, index) => (
        <tr key={`${String(row['id'])} ${index}`}>
          <Cell>
            <span className={styles.open}>
              <SampleLink place={placeOf(row, dataSet)} />
            </span>
          </Cell>
          {sampleCells(row, meta, fields).map(({ field, value, text, atMs, numeric }) => (
            <Cell key={field} number={numeric}>
              {atMs === undefined ? (
                <span className={numeric ? undefined : styles.group}>
                  <ValueButton field={field} value={value} text={text} />
                </span>
              ) : (
                <Time at={atMs} />
              )}
            </Cell>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

function SampleLink({ place }: { readonly place: SamplePlace }) {
  switch (place.kind) {
    case 'event':
      return (
        <Link
          to="/issues/$issue"
          params={{ issue: place.issue }}
          search={{ event: place.event }}
          data-row=""
          translate="no"
        >
          {place.issue}
        </Link>
      );
    case 'trace':
      return (
        <Link
          to="/traces/$trace"
          params={{ trace: place.trace }}
          search={{ span: place.span, at: place.at }}
          aria-label={m.traceOf({ id: place.trace })}
          data-row=""
        >
          <code>{place.trace.slice(0, 8)}</code>
        </Link>
      );
    case 'find':
      return (
        <Link to="/find" search={{ q: place.text }} aria-label={m.find({ id: place.text })} data-row="">
          <code>{place.text.slice(0, 8)}</code>
        </Link>
      );
    default:
      return <>–</>;
  }
}
