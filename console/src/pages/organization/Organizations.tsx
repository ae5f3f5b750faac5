import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createOrganization } from '../../features/session/organization-changes.ts';
import { useSession } from '../../features/session/organization.ts';
import { switchOrganization } from '../../features/session/switch-organization.ts';
import * as m from '../../messages/organization.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Form } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import { Facts } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';

/** The organisations that somebody is in, and a new one where they may make it. */
export function Organizations() {
  const { organization, organizations, closedOrganizations, mayCreateOrganizations } = useSession();
  const [creating, setCreating] = useState(false);
  return (
    <Section
      title={m.all}
      note={m.allNote}
      actions={
        mayCreateOrganizations &&
        !creating && (
          <Button size="small" onClick={() => setCreating(true)}>
            {m.begin}
          </Button>
        )
      }
    >
      {creating && <NewOrganization onCancel={() => setCreating(false)} />}
      <DataList>
        {organizations.map(({ id, slug, name }) => (
          <DataRow
            key={id}
            title={
              <>
                <strong translate="no">{name}</strong> {id === organization.id && <Flag kind="plain">{m.current}</Flag>}
              </>
            }
            facts={
              <Facts>
                <code>{slug}</code>
              </Facts>
            }
            actions={
              id !== organization.id && (
                <Button
                  size="small"
                  variant="ghost"
                  aria-label={m.openOf({ name })}
                  onClick={() => switchOrganization(slug)}
                >
                  {m.open}
                </Button>
              )
            }
          />
        ))}
        {closedOrganizations.map(({ slug, name, reason }) => (
          <DataRow
            key={slug}
            title={<strong translate="no">{name}</strong>}
            facts={
              <Facts>
                <code>{slug}</code>
                {m.closed[reason]}
              </Facts>
            }
            actions={
              <Link to="/closed" className={buttonClass('ghost', 'small')} aria-label={m.openOf({ name })}>
                {m.open}
              </Link>
            }
          />
        ))}
      </DataList>
    </Section>
  );
}

function NewOrganization({ onCancel }: { readonly onCancel: () => void }) {
  const form = useForm<{ readonly name: string }>({
    start: { name: '' },
    save: async ({ name }) => switchOrganization((await createOrganization(name.trim())).slug),
  });
  return (
    <Form form={form} submit={m.create} onCancel={onCancel}>
      <TextField
        label={m.newName}
        focused
        maxLength={64}
        autoComplete="off"
        {...form.field('name', { validate: (text) => text.trim() !== '' || m.nameNeeded })}
      />
    </Form>
  );
}
