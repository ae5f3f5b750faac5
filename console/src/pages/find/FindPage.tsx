import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import * as m from '../../messages/find.ts';
import { FindBox } from '../../features/find/FindBox.tsx';
import { freshSearch } from '../../features/find/places.ts';
import { Watches } from '../../features/find/Watches.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Column, PageBar, Section } from '../../ui/Page.tsx';
import { useTitle } from '../../ui/title.ts';
import { verbatim } from '../../ui/verbatim.ts';
import { Answer } from './Answer.tsx';

const route = getRouteApi('/shell/find');

/** "I have a piece of text": the answer, or why there is none yet. */
export function FindPage() {
  const org = useOrg();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const { q = '', project, range, start, end } = route.useSearch();
  const scope = useMemo(() => ({ project, range, start, end }), [project, range, start, end]);
  useTitle(q.trim() !== '' && (q.length > 40 ? `${q.slice(0, 40).toWellFormed()}…` : q), m.title);
  const find = (text: string): void => {
    if (text === q) void queries.invalidateQueries({ queryKey: ['find', org] });
    else void navigate({ search: freshSearch(text) });
  };
  return (
    <>
      <PageBar title={m.title} />
      <Column>
        <Stack gap={12}>
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
        </Stack>
        {!q && <Examples />}
        <Watches />
      </Column>
    </>
  );
}

const examples: readonly (readonly [what: keyof typeof m.example, like: string])[] = [
  ['page', verbatim`Application error: … Digest: 1930860604`],
  ['digest', '1930860604, ERROR 695951548, 3254426033@E7'],
  ['id', '82628ef2b8ad4ad1a7288ca369b080ce'],
  ['header', 'traceparent: 00-82628ef2b8ad4ad1a7288ca369b080ce-8efd84a8c32d4e7c-01'],
  ['issue', 'WEB-42'],
  ['url', 'https://shop.example.com/product/7'],
  ['stack', verbatim`java.lang.IllegalStateException: … at com.example.Cart.total(Cart.java:12)`],
  ['words', verbatim`Cannot read properties of null`],
];

function Examples() {
  return (
    <Section title={m.examples}>
      <KeyValue>
        {examples.map(([what, like]) => (
          <Pair key={what} name={m.example[what]}>
            <code>{like}</code>
          </Pair>
        ))}
      </KeyValue>
    </Section>
  );
}
