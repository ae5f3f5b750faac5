import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { offerUndo } from '../../features/commands/undo.ts';
import {
  changeFilter,
  type FilterChange,
  type FilterId,
  type FilterPreview,
  filtersQuery,
  previewFilters,
  type ProjectFilter,
} from '../../features/inbound-filters/queries.ts';
import { examinedText, inOrder } from '../../features/inbound-filters/words.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/inbound-filters.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { useLeaving } from '../../ui/use-leaving.ts';
import { FilterRow } from './FilterRow.tsx';

/** What of the project is not stored: a switch for each filter, what it dropped and what it would drop. */
export function FiltersSection({ slug }: { readonly slug: string }) {
  const filters = useQuery(filtersQuery(useOrg(), slug));
  return (
    <Section title={m.title} note={m.note} id="inbound-filters">
      <QueryView query={filters} loading={m.loading} failed={m.failed} rows={6} height={64}>
        {(found) => <Filters slug={slug} filters={inOrder(found)} />}
      </QueryView>
    </Section>
  );
}

interface Change {
  readonly id: FilterId;
  readonly body: FilterChange;
  /** The way back. */
  readonly back: FilterChange;
  readonly done: string;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function Filters({ slug, filters }: { readonly slug: string; readonly filters: readonly ProjectFilter[] }) {
  const org = useOrg();
  const may = useMay('project:write');
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState<{ readonly [Id in FilterId]?: string | undefined }>({});
  const draft = (id: FilterId, text: string | undefined): void => setDrafts((known) => ({ ...known, [id]: text }));
  const apply = async (id: FilterId, body: FilterChange): Promise<void> => {
    const state = await changeFilter(org, slug, id, body);
    queries.setQueryData(filtersQuery(org, slug).queryKey, (known) =>
      known?.map((one) => (one.id === id ? { ...one, ...state } : one)),
    );
  };
  const undo = useMutation({ mutationFn: ({ id, back }: Change) => apply(id, back) });
  const change = useMutation({
    mutationFn: ({ id, body }: Change) => apply(id, body),
    onSuccess: (_, made) => {
      if (made.body.patterns) draft(made.id, undefined);
      offerUndo(made.done, () => undo.mutate(made));
    },
  });
  const leaving = useLeaving();
  const preview = useMutation({
    mutationFn: () =>
      previewFilters(
        org,
        slug,
        Object.fromEntries(
          Object.entries(drafts).flatMap(([id, text]) => (text === undefined ? [] : [[id, linesOf(text)]])),
        ),
        leaving(),
      ),
  });
  // A switch shows at once what it is on its way to.
  const shown = (filter: ProjectFilter): ProjectFilter =>
    change.isPending && change.variables.id === filter.id && change.variables.body.active !== undefined
      ? { ...filter, active: change.variables.body.active }
      : filter;
  const toggle = ({ id }: ProjectFilter, active: boolean): void => {
    const filter = m.names[id];
    const done = active ? m.turnedOn({ filter }) : m.turnedOff({ filter });
    change.mutate({ id, body: { active }, back: { active: !active }, done });
  };
  const save = ({ id, patterns }: ProjectFilter): void =>
    change.mutate({
      id,
      body: { patterns: linesOf(drafts[id] ?? '') },
      back: { patterns: patterns ?? [] },
      done: m.savedPatterns({ filter: m.names[id] }),
    });
  return (
    <Stack gap={24}>
      <FormError error={change.error ?? undo.error} />
      {may && (
        <Stack gap={8}>
          <Inline>
            <Button busy={preview.isPending} onClick={() => preview.mutate()}>
              {m.preview}
            </Button>
          </Inline>
          <Text as="p" tone="faint" small>
            {m.previewHint}
          </Text>
          <FormError error={preview.error} />
          <div role="status">{preview.data && <Text as="p">{examinedText(preview.data.examined)}</Text>}</div>
        </Stack>
      )}
      {filters.map((filter) => (
        <FilterRow
          key={filter.id}
          filter={shown(filter)}
          previewed={preview.data?.filters.find(({ id }) => id === filter.id)}
          draft={drafts[filter.id]}
          busy={change.isPending && change.variables.id === filter.id}
          onToggle={may ? (active) => toggle(filter, active) : undefined}
          onDraft={(text) => draft(filter.id, text)}
          onSave={() => save(filter)}
        />
      ))}
    </Stack>
  );
}
