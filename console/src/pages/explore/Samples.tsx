import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import type { Question } from '../../features/explore/question.ts';
import type { ExploreRow } from '../../features/explore/queries.ts';
import { placeOf, sampleCells, type SamplePlace } from '../../features/explore/samples.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { isNumeric, measureOf, type AnswerMeta } from '../../features/explore/values.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ExplorePage.module.css';
import { SortHead } from './Groups.tsx';
import { ValueButton } from './ValueButton.tsx';

interface Props {
  readonly rows: readonly ExploreRow[];
  readonly meta: AnswerMeta;
  readonly question: Question;
  readonly search: ExploreSearch;
  readonly list: RefObject<HTMLTableSectionElement | null>;
  readonly busy: boolean;
}

/** The rows themselves; each leads to its event or to its trace. */
export function Samples({ rows, meta, question, search, list, busy }: Props) {
  const { fields, samplesSort, dataSet } = question;
  return (
    <ScrollRegion label="Samples" className={styles.scroll}>
      <table className={styles.table} aria-busy={busy}>
        <thead>
          <tr>
            <th scope="col" className={styles.open}>
              {dataSet === 'errors' ? 'Event' : 'Trace'}
            </th>
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
          </tr>
        </thead>
        <tbody ref={list}>
          {rows.map((row, index) => (
            <tr key={`${String(row['id'])} ${index}`}>
              <td className={styles.open}>
                <SampleLink place={placeOf(row, dataSet)} />
              </td>
              {sampleCells(row, meta, fields).map(({ field, value, text, atMs, numeric }) => (
                <td key={field} className={numeric ? styles.number : atMs === undefined ? styles.group : undefined}>
                  {atMs === undefined ? <ValueButton field={field} value={value} text={text} /> : <Time at={atMs} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function SampleLink({ place }: { readonly place: SamplePlace }) {
  switch (place.kind) {
    case 'event':
      return (
        <Link to="/issues/$issue" params={{ issue: place.issue }} search={{ event: place.event }} data-row="">
          {place.issue}
        </Link>
      );
    case 'trace':
      return (
        <Link
          to="/traces/$trace"
          params={{ trace: place.trace }}
          search={{ span: place.span, at: place.at }}
          aria-label={`Trace ${place.trace}`}
          data-row=""
        >
          <code>{place.trace.slice(0, 8)}</code>
        </Link>
      );
    case 'find':
      return (
        <Link to="/find" search={{ q: place.text }} aria-label={`Find ${place.text}`} data-row="">
          <code>{place.text.slice(0, 8)}</code>
        </Link>
      );
    default:
      return <>–</>;
  }
}
