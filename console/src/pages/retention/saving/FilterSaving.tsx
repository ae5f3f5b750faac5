import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { offerUndo } from '../../../features/commands/undo.ts';
import type { ProjectCosts } from '../../../features/costs/queries.ts';
import {
  changeFilter,
  type FilterChange,
  filterPreviewQuery,
  filtersQuery,
  type ProjectFilter,
} from '../../../features/inbound-filters/queries.ts';
import { examinedText, itemsText } from '../../../features/inbound-filters/words.ts';
import { useOrg } from '../../../features/session/organization.ts';
import * as m from '../../../messages/costs.ts';
import * as f from '../../../messages/inbound-filters.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogBody } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Form } from '../../../ui/Form.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { byteSize } from '../../../ui/numbers.ts';
import { Text } from '../../../ui/Text.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { useLagging } from '../../../ui/use-lagging.ts';
import { globOf, longestPattern, mostPatterns, savedByFilter, withPattern } from './estimates.ts';

interface FilterSavingProps {
  readonly project: string;
  readonly filter: 'release-version' | 'error-message';
  /** Of what is to be dropped: a release, or a title. */
  readonly of: string;
  /** How it is called here. */
  readonly name: string;
  readonly costs: Pick<ProjectCosts, 'classes'>;
}

/** Drops what comes of a release or an issue from now on, once somebody has seen what that would have dropped. */
export function FilterSaving({ project, filter: id, of, name, costs }: FilterSavingProps) {
  const org = useOrg();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const filters = useQuery(filtersQuery(org, project));
  const filter = filters.data?.find((one) => one.id === id);
  const again = () => queries.invalidateQueries({ queryKey: filtersQuery(org, project).queryKey });
  const restore = useMutation({
    mutationFn: (body: FilterChange) => changeFilter(org, project, id, body),
    onSettled: again,
  });
  if (!filter) return null;
  if (filter.active && filter.patterns?.includes(globOf(of))) return <Text small>{m.filtered}</Text>;
  return (
    <>
      <Button size="small" variant="ghost" aria-label={m.filterOf({ name })} onClick={() => setOpen(true)}>
        {m.filter}
      </Button>
      <FormError error={restore.error} />
      {isOpen && (
        <FilterDialog
          {...{ project, of, name, costs, filter }}
          onSaved={async () => {
            await again();
            const { active, patterns } = filter;
            offerUndo(m.filterOn, () => restore.mutate({ active, patterns: patterns ?? [] }));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function FilterDialog({
  project,
  filter,
  of,
  name,
  costs,
  onSaved,
  onClose,
}: Omit<FilterSavingProps, 'filter'> & {
  readonly filter: ProjectFilter;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const org = useOrg();
  const isFull = withPattern(filter, '').length > mostPatterns;
  const form = useForm<{ pattern: string }>({
    start: { pattern: globOf(of) },
    save: async ({ pattern }) => {
      await changeFilter(org, project, filter.id, { active: true, patterns: withPattern(filter, pattern.trim()) });
      await onSaved();
      onClose();
    },
  });
  const pattern = useLagging(form.watch('pattern').trim(), 300);
  return (
    <Dialog title={m.filterOf({ name })} onClose={onClose}>
      <DialogBody>
        <Form form={form} submit={m.filter} ready={!isFull} bare onCancel={onClose}>
          <TextField
            label={filter.id === 'release-version' ? m.releasePattern : m.messagePattern}
            hint={m.patternHint}
            autoComplete="off"
            spellCheck={false}
            translate="no"
            maxLength={longestPattern}
            {...form.field('pattern', { validate: (text) => text.trim() !== '' || m.patternInvalid })}
          />
          {pattern !== '' && <Preview {...{ project, pattern, costs }} id={filter.id} />}
          <Text as="p" small>
            {m.filterNote}
          </Text>
          {isFull && (
            <Text as="p" tone="warning">
              {m.filterFull}
            </Text>
          )}
        </Form>
      </DialogBody>
    </Dialog>
  );
}

function Preview({
  project,
  id,
  pattern,
  costs,
}: Pick<FilterSavingProps, 'project' | 'costs'> & {
  readonly id: ProjectFilter['id'];
  readonly pattern: string;
}) {
  const { data, error } = useQuery(filterPreviewQuery(useOrg(), project, { [id]: [pattern] }));
  if (error) return <FormError error={error} />;
  if (!data) return <Text as="p">{m.checking}</Text>;
  const { errors, transactions, bytes } = savedByFilter(data, id, costs.classes);
  const items = itemsText([
    { category: 'error', quantity: errors },
    { category: 'transaction', quantity: transactions },
  ]);
  return (
    <div role="status">
      <Text as="p">{examinedText(data.examined)}</Text>
      <Text as="p">{items === '' ? f.wouldNone : <strong>{f.would({ items })}</strong>}</Text>
      {bytes > 0 && <Text as="p">{m.saves({ size: byteSize(bytes) })}</Text>}
    </div>
  );
}
