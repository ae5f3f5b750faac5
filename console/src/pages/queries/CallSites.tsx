import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CallSite, callSitesQuery, placeOf } from '../../features/performance/database-queries.ts';
import styles from '../../features/performance/details.module.css';
import { tracePlace } from '../../features/performance/links.ts';
import type { QueriesSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/database-query.ts';
import { Bar } from '../../ui/Bar.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { percent } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';

/** From which lines of the code it is called, those with most calls first. */
export function CallSites({ search }: { readonly search: QueriesSearch }) {
  const query = useQuery(callSitesQuery(useOrg(), search));
  return (
    <Panel title={m.sitesTitle} id="sites" boxed={false}>
      <QueryView query={query} loading={m.sitesLoading} failed={m.sitesFailed} rows={3} height={44}>
        {({ sites, told, examined }) =>
          sites.length === 0 ? (
            <Nothing>{m.sitesNone}</Nothing>
          ) : (
            <Stack gap={8}>
              <Text as="p" tone="faint" small>
                {m.sitesTold({ known: told, examined })}
              </Text>
              <DataList compact label={m.sitesTitle}>
                {sites.map((site) => (
                  <SiteRow key={`${site.function} ${placeOf(site)}`} site={site} share={site.count / told} />
                ))}
              </DataList>
            </Stack>
          )
        }
      </QueryView>
    </Panel>
  );
}

export function SiteRow({ site, share }: { readonly site: CallSite; readonly share: number }) {
  const { link, longest, transactions } = site;
  const place = placeOf(site);
  const name = site.function || place;
  return (
    <DataRow
      title={
        <span className={styles.code} title={name} translate="no">
          {name}
        </span>
      }
      facts={
        <Facts cut>
          {link ? (
            <a
              href={link}
              target="_blank"
              rel="noreferrer"
              aria-label={m.sitesOpenLine({ place: place || name })}
              data-tip={m.sitesOpenTip}
            >
              <code>{place || name}</code>
            </a>
          ) : (
            site.function && place && <code>{place}</code>
          )}
          {m.sitesCalls({ count: site.count })}
          <Link to="/traces/$trace" {...tracePlace(longest)}>
            {m.sitesLongest({ time: milliseconds(longest.durationMs) })}
          </Link>
          {transactions.length > 0 && <span translate="no">{transactions.join(', ')}</span>}
        </Facts>
      }
      end={
        <span className={styles.selfTime} data-tip={m.sitesTotal({ time: milliseconds(site.totalMs) })}>
          {percent(share, 1)}
          <Bar share={share} />
        </span>
      }
    />
  );
}
