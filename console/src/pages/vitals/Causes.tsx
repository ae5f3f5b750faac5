import { useQuery } from '@tanstack/react-query';
import { vitalCausesQuery } from '../../features/performance/part-queries.ts';
import type { VitalCauses } from '../../features/performance/queries.ts';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { formatVital, vitalRating } from '../../features/performance/vitals.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/vitals.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Columns } from '../../ui/Layout.tsx';
import { byteSize, exactNumber, percent, withUnit } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { PageLoads } from './PageLoads.tsx';
import styles from './VitalsPage.module.css';

type Element = VitalCauses['elements'][number];
type Resource = VitalCauses['resources'][number];

const explained = ['lcp', 'inp', 'cls'] as const;

/** What makes the vitals of one page: elements, interactions, resources; and some page loads. */
export function Causes({ search, page }: { readonly search: VitalsSearch; readonly page: string }) {
  const found = useQuery(vitalCausesQuery(useOrg(), search, page));
  return (
    <QueryView query={found} loading={m.loadingCauses} failed={m.causesFailed} rows={6} height={44}>
      {({ elements, resources, samples, pageLoads, whole, from }) => (
        <>
          <Columns min={480} gap={24}>
            {explained.map((vital) => (
              <Panel key={vital} title={m.causes[vital]} id={vital} boxed={false}>
                <Elements elements={elements.filter((each) => each.vital === vital)} none={m.noCauses[vital]} />
              </Panel>
            ))}
            <Panel title={m.resources} id="resources" boxed={false}>
              {resources.length === 0 ? (
                <Nothing>{m.noResources}</Nothing>
              ) : (
                <DataList compact>
                  {resources.map((resource) => (
                    <ResourceRow
                      key={`${resource.op} ${resource.description}`}
                      resource={resource}
                      pageLoads={pageLoads}
                    />
                  ))}
                </DataList>
              )}
            </Panel>
          </Columns>
          <Panel title={m.samples} id="samples" boxed={false}>
            <PageLoads samples={samples} />
          </Panel>
          {!whole && (
            <Text as="p" tone="faint" small>
              {m.partial({ since: <Time at={from * 1000} /> })}
            </Text>
          )}
        </>
      )}
    </QueryView>
  );
}

function Elements({ elements, none }: { readonly elements: readonly Element[]; readonly none: string }) {
  if (!elements.length) return <Nothing>{none}</Nothing>;
  return (
    <DataList compact>
      {elements.map((element) => (
        <ElementRow key={`${element.element} ${element.detail}`} element={element} />
      ))}
    </DataList>
  );
}

export function ElementRow({ element: { vital, element, detail, count, p75, size } }: { readonly element: Element }) {
  return (
    <DataRow
      title={
        <code className={styles.path} title={element}>
          {element}
        </code>
      }
      facts={
        <>
          <Facts>
            {vital === 'inp' && detail && <span translate="no">{detail}</span>}
            {vital === 'inp' ? m.interactions({ count }) : m.pageLoads({ count })}
            {size > 0 && withUnit(exactNumber(Math.round(size)), 'px²')}
          </Facts>
          {vital === 'lcp' && detail && (
            <Text as="div" small cut>
              <code title={detail}>{detail}</code>
            </Text>
          )}
        </>
      }
      end={
        <span className={styles.measured}>
          {formatVital(vital, p75)} <RatingMark rating={vitalRating(vital, p75)} short />
        </span>
      }
    />
  );
}

export function ResourceRow({ resource, pageLoads }: { readonly resource: Resource; readonly pageLoads: number }) {
  const { op, description, count, p75Ms, bytes, blocking } = resource;
  return (
    <DataRow
      title={
        <code className={styles.path} title={description}>
          {description}
        </code>
      }
      facts={
        <Facts>
          <span translate="no">{op.replace('resource.', '')}</span>
          {bytes > 0 && byteSize(Math.round(bytes))}
          {m.resourceShare({ share: percent(count, pageLoads) })}
          {blocking && m.blocking}
        </Facts>
      }
      end={<span className={styles.measured}>{milliseconds(p75Ms)}</span>}
    />
  );
}
