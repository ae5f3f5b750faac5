import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { FindBox } from '../../features/find/FindBox.tsx';
import { freshSearch } from '../../features/find/places.ts';
import { Watches } from '../../features/find/Watches.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { Column, PageBar } from '../../ui/Page.tsx';
import { BusyBar } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { Answer } from './Answer.tsx';
import styles from './FindPage.module.css';

const route = getRouteApi('/shell/find');

/** "I have a piece of text": the answer, or why there is none yet. */
export function FindPage() {
  const org = useOrg();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const { q = '', project, range, start, end } = route.useSearch();
  const scope = useMemo(() => ({ project, range, start, end }), [project, range, start, end]);
  const busy = useIsFetching({ queryKey: ['find', org] }) > 0;
  useTitle(q.trim() !== '' && (q.length > 40 ? `${q.slice(0, 40).toWellFormed()}…` : q), 'Find');
  const find = (text: string): void => {
    if (text === q) void queries.invalidateQueries({ queryKey: ['find', org] });
    else void navigate({ search: freshSearch(text) });
  };
  return (
    <>
      <PageBar title="Find" />
      <BusyBar busy={busy} />
      <Column>
        <div className={styles.ask}>
          <FindBox value={q} onFind={find} />
          {q && (
            <Answer
              key={JSON.stringify([q, scope])}
              text={q}
              scope={scope}
              onText={(text) => void navigate({ search: (before) => ({ ...before, q: text || undefined }) })}
              onScope={(next) => void navigate({ search: (before) => ({ ...before, ...next }) })}
            />
          )}
        </div>
        {!q && <Takes />}
        <Watches />
      </Column>
    </>
  );
}

const examples: readonly { readonly what: string; readonly like: string }[] = [
  { what: 'The text of an error page', like: 'Application error: … Digest: 1930860604' },
  { what: 'Its number alone', like: '1930860604, ERROR 695951548, 3254426033@E7' },
  { what: 'An event, trace or span id', like: '82628ef2b8ad4ad1a7288ca369b080ce' },
  { what: 'The header of a request', like: 'traceparent: 00-82628ef2b8ad4ad1a7288ca369b080ce-8efd84a8c32d4e7c-01' },
  { what: 'An issue', like: 'WEB-42' },
  { what: 'An address of your application', like: 'https://shop.example.com/product/7' },
  { what: 'Words of the error', like: 'Cannot read properties of null' },
];

function Takes() {
  return (
    <section aria-label="What can be found">
      <dl className={styles.examples}>
        {examples.map(({ what, like }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <code>{like}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
