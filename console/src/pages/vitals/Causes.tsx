import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { tracePlace } from '../../features/performance/links.ts';
import { vitalCausesQuery } from '../../features/performance/part-queries.ts';
import type { VitalCauses } from '../../features/performance/queries.ts';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { formatVital, vitalFacts, vitalNames, vitalRating } from '../../features/performance/vitals.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { byteSize, exactNumber, percent, plural, withUnit } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './VitalsPage.module.css';

type Element = VitalCauses['elements'][number];

const parts: readonly { readonly vital: Element['vital']; readonly title: string; readonly none: string }[] = [
  { vital: 'lcp', title: 'Largest element', none: 'No page load said which element was the largest.' },
  { vital: 'inp', title: 'Slow interactions', none: 'No interaction was measured.' },
  { vital: 'cls', title: 'What moved', none: 'Nothing moved, or the SDK did not say what.' },
];

/** What makes the vitals of one page: elements, interactions, resources; and page loads to look at. */
export function Causes({ search, page }: { readonly search: VitalsSearch; readonly page: string }) {
  const found = useQuery(vitalCausesQuery(useOrg(), search, page));
  if (found.isPending) return <Skeleton rows={6} height={44} label="Loading what makes them" />;
  if (found.isError && !found.data)
    return (
      <ErrorState error={found.error} retry={() => void found.refetch()} what="What makes them could not be loaded" />
    );
  const { elements, resources, samples, pageLoads, whole, from } = found.data;
  return (
    <>
      <div className={styles.causes}>
        {parts.map(({ vital, title, none }) => (
          <Panel key={vital} title={`${vitalFacts[vital].short}: ${title.toLowerCase()}`} id={vital}>
            <Elements elements={elements.filter((each) => each.vital === vital)} none={none} />
          </Panel>
        ))}
        <Panel title="Before the largest paint: slowest resources" id="resources">
          <Resources resources={resources} pageLoads={pageLoads} />
        </Panel>
      </div>
      <Panel title="Page loads to look at" id="samples">
        <Samples samples={samples} />
      </Panel>
      {!whole && (
        <p className={styles.faint}>
          From the newest page loads, since <Time at={from * 1000} />: the range has more than is looked at one by one.
        </p>
      )}
    </>
  );
}

const None = ({ children }: { readonly children: ReactNode }) => <p className={styles.none}>{children}</p>;

function Elements({ elements, none }: { readonly elements: readonly Element[]; readonly none: string }) {
  if (!elements.length) return <None>{none}</None>;
  return (
    <ul>
      {elements.map(({ vital, element, detail, count, p75, size }) => (
        <li key={`${element} ${detail}`} className={styles.cause}>
          <code className={styles.element} title={element}>
            {element}
          </code>
          <span className={styles.causeValue}>
            {formatVital(vital, p75)} <RatingMark rating={vitalRating(vital, p75)} short />
          </span>
          <span className={styles.faint}>
            {[
              vital === 'inp' && detail,
              plural(count, vital === 'inp' ? 'interaction' : 'page load'),
              size > 0 && withUnit(exactNumber(Math.round(size)), 'px²'),
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
          {vital === 'lcp' && detail && (
            <code className={styles.url} title={detail}>
              {detail}
            </code>
          )}
        </li>
      ))}
    </ul>
  );
}

function Resources({ resources, pageLoads }: Pick<VitalCauses, 'resources' | 'pageLoads'>) {
  if (!resources.length) return <None>No resource was measured before the largest paint.</None>;
  return (
    <ul>
      {resources.map(({ op, description, count, p75Ms, bytes, blocking }) => (
        <li key={`${op} ${description}`} className={styles.cause}>
          <code className={styles.element} title={description}>
            {description}
          </code>
          <span className={styles.causeValue}>{milliseconds(p75Ms)}</span>
          <span className={styles.faint}>
            {[
              op.replace('resource.', ''),
              bytes > 0 && byteSize(Math.round(bytes)),
              `in ${percent(count, pageLoads)} of page loads`,
              blocking && 'held up rendering',
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Samples({ samples }: Pick<VitalCauses, 'samples'>) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Vital</th>
          <th scope="col" className={styles.number}>
            Value
          </th>
          <th scope="col">Rating</th>
          <th scope="col">Trace</th>
          <th scope="col" className={styles.wide}>
            Browser
          </th>
          <th scope="col" className={styles.wide}>
            Release
          </th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {vitalNames.flatMap((vital) =>
          samples
            .filter((sample) => sample.vital === vital)
            .slice(0, 3)
            .map((sample, index) => (
              <tr key={`${vital} ${sample.traceId} ${sample.spanId}`}>
                <td>{index === 0 && <b>{vitalFacts[vital].short}</b>}</td>
                <td className={styles.number}>{formatVital(vital, sample.value)}</td>
                <td>
                  <RatingMark rating={vitalRating(vital, sample.value)} />
                </td>
                <td>
                  <Link to="/traces/$trace" {...tracePlace(sample)} className={styles.trace}>
                    <code>{sample.traceId.slice(0, 8)}</code>
                  </Link>
                </td>
                <td className={styles.wide}>{sample.browser || '–'}</td>
                <td className={styles.wide}>
                  <code>{sample.release}</code>
                </td>
                <td className={styles.faint}>
                  <Time at={sample.startUs / 1000} />
                </td>
              </tr>
            )),
        )}
      </tbody>
    </table>
  );
}
