import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { teamsQuery } from '../../../features/people/queries.ts';
import {
  callbackUrl,
  domainsOf,
  fieldsOf,
  firstOptions,
  kinds,
  missingSetting,
  newProviderId,
  settingsOf,
} from '../../../features/providers/kinds.ts';
import {
  addProvider,
  type MappingRow,
  type Provider,
  type ProviderKind,
  type SamlMetadata as Metadata,
  testProvider,
  updateProvider,
} from '../../../features/providers/queries.ts';
import { samlSettingsOf } from '../../../features/providers/saml.ts';
import { useOrg } from '../../../features/session/organization.ts';
import * as roleWords from '../../../messages/roles.ts';
import * as m from '../../../messages/sign-in-providers.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyLine } from '../../../ui/CopyLine.tsx';
import { fieldLabelClass, SelectField, TextField, Toggle } from '../../../ui/Field.tsx';
import { FieldRow, Form } from '../../../ui/Form.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { Stack } from '../../../ui/Layout.tsx';
import { Text } from '../../../ui/Text.tsx';
import { toast } from '../../../ui/toasts.ts';
import { verbatim } from '../../../ui/verbatim.ts';
import { useForm } from '../../../ui/use-form.ts';
import { type EditedRow, MappingFields } from './MappingFields.tsx';
import { SamlAddresses } from './SamlAddresses.tsx';
import { SamlCertificates } from './SamlCertificates.tsx';
import { SamlMetadata } from './SamlMetadata.tsx';
import { SettingFields } from './SettingFields.tsx';
import { TestOutcome } from './TestOutcome.tsx';

interface Fields {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly settings: Record<string, string>;
  readonly domains: string;
  readonly joins: boolean;
  readonly defaultRole: Provider['defaultRole'];
  readonly mapping: readonly EditedRow[];
  readonly enabled: boolean;
}

const newMemberRoles = ['admin', 'manager', 'member', 'viewer'] as const satisfies readonly Provider['defaultRole'][];

const isGiven = ({ value, role, team }: MappingRow): boolean => value.trim() !== '' && (role !== null || team !== null);

/** Adds a provider, or changes one. It can be tried out before it is saved. */
export function ProviderForm({ provider, onDone }: { readonly provider?: Provider; readonly onDone: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const teams = useQuery(teamsQuery(org));
  // Known before it is there: the provider wants its redirect URL before it gives a client ID.
  const [id] = useState(() => provider?.id ?? newProviderId());
  const form = useForm<Fields>({
    start: {
      kind: provider?.kind ?? 'oidc',
      name: provider?.name ?? '',
      settings: { ...firstOptions, ...provider?.settings },
      domains: provider?.domains.map(({ domain }) => domain).join(', ') ?? '',
      joins: provider?.joins ?? false,
      defaultRole: provider?.defaultRole ?? 'member',
      mapping: provider?.mapping.map((row, key) => ({ ...row, key })) ?? [],
      enabled: provider?.enabled ?? true,
    },
    save: async ({ kind, settings, domains, mapping, ...rest }) => {
      const body = {
        ...rest,
        name: rest.name.trim(),
        settings: settingsOf(kind, settings),
        domains: domainsOf(domains),
        mapping: mapping.filter(isGiven).map(({ value, role, team }) => ({ value, role, team })),
      };
      await (provider ? updateProvider(org, id, body) : addProvider(org, { ...body, id, kind }));
      onDone();
      await queries.invalidateQueries({ queryKey: ['sign-in-providers', org] });
      toast(provider ? m.saved : m.added);
    },
  });
  const [kind, settings, name, mapping] = form.watch(['kind', 'settings', 'name', 'mapping']);
  const missing = missingSetting(kind, settings, provider);
  const test = useMutation({
    mutationFn: () =>
      testProvider(org, { kind, settings: settingsOf(kind, settings), ...(provider && { id: provider.id }) }),
  });
  const [read, setRead] = useState<Metadata>();
  const fillIn = (metadata: Metadata): void => {
    setRead(metadata);
    for (const [key, value] of Object.entries(samlSettingsOf(metadata))) {
      form.set(`settings.${key}`, value, { shouldDirty: true });
    }
  };
  const kindField = form.field('kind');
  return (
    <Form
      form={form}
      submit={provider ? m.save : m.add}
      ready={missing === undefined}
      onCancel={onDone}
      actions={
        <>
          <Button busy={test.isPending} disabled={missing !== undefined} onClick={() => test.mutate()}>
            {m.test}
          </Button>
          {missing && (
            <Text tone="faint" small>
              {m.fieldMissing({ field: m.fields[missing.key] })}
            </Text>
          )}
        </>
      }
    >
      <FieldRow>
        <SelectField
          label={m.kind}
          {...kindField}
          disabled={provider !== undefined}
          onChange={(event) => {
            test.reset();
            void kindField.onChange(event);
          }}
        >
          {kinds.map((each) => (
            <option key={each} value={each}>
              {m.kinds[each]}
            </option>
          ))}
        </SelectField>
        <TextField
          label={m.name}
          hint={m.nameHint({ name: name.trim() || m.kinds[kind] })}
          focused={!provider}
          autoComplete="off"
          maxLength={60}
          {...form.field('name', { validate: (text) => text.trim() !== '' || m.nameMissing })}
        />
      </FieldRow>
      {kind === 'saml' ? (
        <>
          <SamlAddresses id={id} provider={provider} />
          <SamlMetadata onRead={fillIn} />
        </>
      ) : (
        <Stack gap={4}>
          <span className={fieldLabelClass}>{m.redirect}</span>
          <CopyLine text={provider?.callbackUrl ?? callbackUrl(id)} label={m.copyRedirect} />
          <Text tone="faint" small>
            {m.redirectHint}
          </Text>
        </Stack>
      )}
      <SettingFields
        key={kind}
        fields={fieldsOf[kind]}
        provider={provider}
        propsOf={({ key }) => form.field(`settings.${key}`)}
        after={
          kind === 'saml' && (
            <SamlCertificates certificates={read?.certificates ?? provider?.saml?.certificates ?? []} />
          )
        }
      />
      {test.data && <TestOutcome result={test.data} />}
      <FormError error={test.error} />
      <TextField
        label={m.domains}
        hint={m.domainsHint}
        placeholder={verbatim`example.com`}
        translate="no"
        autoComplete="off"
        spellCheck={false}
        {...form.field('domains')}
      />
      <FieldRow>
        <Toggle label={m.joins} hint={m.joinsHint} {...form.field('joins')} />
        <SelectField label={m.defaultRole} {...form.field('defaultRole')}>
          {newMemberRoles.map((role) => (
            <option key={role} value={role}>
              {roleWords.names[role]}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      <MappingFields
        rows={mapping}
        teams={teams.data ?? []}
        onChange={(next) => form.set('mapping', next, { shouldDirty: true })}
      />
      {provider && <Toggle label={m.enabled} hint={m.enabledHint} {...form.field('enabled')} />}
    </Form>
  );
}
