import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ErasureRequest, erasuresQuery, startErasure } from '../../features/erasures/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/erase.ts';
import { SelectField, TextField, Toggle } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

const kinds = ['id', 'email', 'name', 'ip'] as const;
type Kind = (typeof kinds)[number];
export type StartKind = Kind | 'event';

interface Fields {
  readonly person: Record<Kind, string>;
  readonly event: string;
  /** Slug; '' for all. */
  readonly project: string;
  readonly mentions: boolean;
  readonly reference: string;
}

/** Whom or what to look for. Nothing is changed by it. */
export function RequestForm({
  start,
  onDone,
}: {
  /** What a link brought along. */
  readonly start: {
    readonly kind: StartKind | undefined;
    readonly value: string | undefined;
    readonly project: string | undefined;
  };
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const projects = useQuery(projectsQuery(org));
  const [what, setWhat] = useState<'person' | 'event'>(start.kind === 'event' ? 'event' : 'person');
  const form = useForm<Fields>({
    start: {
      person: Object.fromEntries(kinds.map((kind) => [kind, start.kind === kind ? start.value : ''])),
      event: start.kind === 'event' ? start.value : '',
      project: start.project ?? '',
      mentions: true,
      reference: '',
    },
    save: async ({ person, event, project, mentions, reference }) => {
      const values = kinds.flatMap((kind) => (person[kind].trim() ? [{ kind, value: person[kind] }] : []));
      const body: ErasureRequest =
        what === 'event'
          ? { event: { project, id: event.trim() }, mentions, reference }
          : { person: values, mentions, reference, ...(project && { project: [project] }) };
      await startErasure(org, body);
      await queries.invalidateQueries({ queryKey: erasuresQuery(org).queryKey });
      toast(m.started);
      onDone();
    },
  });
  const isNamed = (_: unknown, { person }: Fields) => kinds.some((kind) => person[kind].trim()) || m.oneNeeded;
  return (
    <Form form={form} submit={m.search} onCancel={onDone}>
      <Segments
        label={m.what}
        value={what}
        options={[
          ['person', m.person],
          ['event', m.event],
        ]}
        onChange={setWhat}
      />
      {what === 'person' ? (
        <>
          <FieldRow>
            <TextField label={m.values.id} autoComplete="off" {...form.field('person.id', { validate: isNamed })} />
            <TextField label={m.values.email} type="email" autoComplete="off" {...form.field('person.email')} />
          </FieldRow>
          <FieldRow>
            <TextField label={m.values.name} autoComplete="off" {...form.field('person.name')} />
            <TextField label={m.values.ip} autoComplete="off" {...form.field('person.ip')} />
          </FieldRow>
        </>
      ) : (
        <TextField
          label={m.values.event}
          autoComplete="off"
          {...form.field('event', {
            validate: (text) => /^[\da-f]{32}$/i.test(text.trim().replaceAll('-', '')) || m.eventInvalid,
          })}
        />
      )}
      <FieldRow>
        <SelectField
          label={m.project}
          {...form.field('project', { validate: (slug) => what === 'person' || slug !== '' || m.projectNeeded })}
        >
          <option value="">{what === 'person' ? m.allProjects : m.chooseProject}</option>
          {(projects.data ?? []).map(({ id, slug, name }) => (
            <option key={id} value={slug} translate="no">
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={m.reference}
          hint={m.referenceHint}
          autoComplete="off"
          maxLength={200}
          {...form.field('reference', { validate: (text) => text.trim() !== '' || m.referenceNeeded })}
        />
      </FieldRow>
      {what === 'person' && <Toggle label={m.mentions} hint={m.mentionsHint} {...form.field('mentions')} />}
    </Form>
  );
}
