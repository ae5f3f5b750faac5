import type { ReactNode } from 'react';
import type { AskedScope } from '../../features/oauth/queries.ts';
import { lastOrganization } from '../../features/session/choose-organization.ts';
import type { Organization } from '../../features/session/queries.ts';
import * as m from '../../messages/oauth.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Text } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';

export interface Person {
  readonly email: string;
  readonly organizations: readonly Organization[];
}

interface Props extends Person {
  readonly name: string;
  readonly scopes: readonly AskedScope[];
  /** What is to be known before. */
  readonly children: ReactNode;
  readonly onGrant: (org: string, scopes: AskedScope['name'][]) => Promise<void>;
  readonly onDeny: (org: string) => Promise<void> | void;
}

interface Fields {
  readonly org: string;
  /** What is taken away again. */
  readonly scopes: AskedScope['name'][];
}

/** Who asks for what, in which organisation; of which the reader grants all or a part. */
export function Consent({ name, email, organizations, scopes, children, onGrant, onDeny }: Props) {
  const last = lastOrganization();
  const form = useForm<Fields>({
    pressable: true,
    start: {
      org: organizations.find(({ slug }) => slug === last)?.slug ?? organizations[0]?.slug ?? '',
      scopes: scopes.map((scope) => scope.name),
    },
    save: ({ org, scopes: chosen }) => {
      const held = heldIn(org);
      return onGrant(
        org,
        chosen.filter((scope) => held.has(scope)),
      );
    },
  });
  const org = form.watch('org');
  const heldIn = (slug: string): ReadonlySet<string> =>
    new Set(organizations.find((each) => each.slug === slug)?.access);
  const held = heldIn(org);
  const offered = scopes.filter((scope) => held.has(scope.name));
  const beyond = scopes.filter((scope) => !held.has(scope.name));
  const organization = organizations.find(({ slug }) => slug === org);
  return (
    <AuthLayout
      title={m.authorizeOf({ name })}
      note={m.asks({ name: <strong translate="no">{name}</strong>, email, organization: organization?.name ?? org })}
    >
      <Form
        form={form}
        submit={m.authorize}
        ready={offered.length > 0}
        bare
        actions={
          <Button variant="ghost" onClick={() => void onDeny(org)}>
            {m.deny}
          </Button>
        }
      >
        {organizations.length > 1 && (
          <SelectField label={m.organization} {...form.field('org')}>
            {organizations.map(({ slug, name: label }) => (
              <option key={slug} value={slug}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
        {offered.length > 0 ? (
          <ChoiceGroup label={m.access} layout="lines">
            {offered.map((scope) => (
              <Choice
                key={scope.name}
                label={scope.description}
                end={<code>{scope.name}</code>}
                value={scope.name}
                {...form.field('scopes', { validate: (chosen) => chosen.length > 0 })}
              />
            ))}
          </ChoiceGroup>
        ) : (
          <p>{m.noneLeft({ organization: organization?.name ?? org })}</p>
        )}
        {offered.length > 0 && beyond.length > 0 && (
          <Text tone="faint">{m.beyond({ scopes: beyond.map((scope) => scope.name).join(', ') })}</Text>
        )}
        {children}
        <Text tone="faint">{m.revocable}</Text>
      </Form>
    </AuthLayout>
  );
}
