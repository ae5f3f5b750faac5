import { useQueryClient } from '@tanstack/react-query';
import { providerOf, repositoryName, type ProviderId } from '../../features/repositories/address.ts';
import { saveRepository, type Repository } from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/repositories.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';

const providers: readonly ProviderId[] = ['github', 'gitlab', 'bitbucket', 'other'];

interface Fields {
  readonly url: string;
  readonly name: string;
  readonly provider: ProviderId;
  readonly branch: string;
  readonly template: string;
}

/** A URL is enough: name and provider are read from it until they are set to something else. */
export function RepositoryForm({
  repository,
  onDone,
}: {
  readonly repository?: Repository;
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm<Fields>({
    start: {
      url: repository?.url ?? '',
      name: repository?.name ?? '',
      provider: repository?.configured ? storedProvider(repository.provider.id) : providerOf(repository?.url ?? ''),
      branch: repository?.defaultBranch ?? '',
      template: repository?.linkTemplate ?? '',
    },
    save: async ({ url, name, provider: chosen, branch, template }) => {
      const body = {
        name: name.trim(),
        provider: chosen,
        url: url.trim(),
        defaultBranch: branch.trim() || null,
        linkTemplate: chosen === 'other' ? template.trim() || null : null,
      };
      await saveRepository(org, body, repository?.id);
      await queries.invalidateQueries({ queryKey: ['repositories', org] });
      onDone();
    },
  });
  const [before, name, provider] = form.watch(['url', 'name', 'provider']);
  const url = form.field('url', { validate: (text) => URL.canParse(text.trim()) || m.urlInvalid });
  return (
    <Form form={form} submit={m.save} onCancel={onDone}>
      <TextField
        label={m.url}
        focused
        placeholder="https://github.com/acme/shop"
        autoComplete="off"
        inputMode="url"
        {...url}
        onChange={async (event: { target: { value: string } }) => {
          const { value } = event.target;
          // What followed the URL goes on doing so.
          if (name === repositoryName(before)) form.set('name', repositoryName(value), { shouldValidate: true });
          if (provider === providerOf(before) && !repository?.configured) form.set('provider', providerOf(value));
          await url.onChange(event);
        }}
      />
      <FieldRow>
        <TextField
          label={m.name}
          hint={m.nameHint}
          placeholder="acme/shop"
          autoComplete="off"
          maxLength={200}
          {...form.field('name', { validate: (text) => text.trim() !== '' })}
        />
        <SelectField label={m.provider} {...form.field('provider')}>
          {providers.map((each) => (
            <option key={each} value={each}>
              {m.providers[each]}
            </option>
          ))}
        </SelectField>
        <TextField
          label={m.branch}
          hint={m.branchHint}
          placeholder="main"
          autoComplete="off"
          maxLength={200}
          {...form.field('branch')}
        />
      </FieldRow>
      {provider === 'other' && (
        <TextField
          label={m.template}
          hint={m.templateHint}
          mono
          placeholder="https://git.example.com/shop/tree/{path}?id={commit}#n{line}"
          autoComplete="off"
          {...form.field('template')}
        />
      )}
    </Form>
  );
}

function storedProvider(id: string): ProviderId {
  return providers.find((each) => id === `integrations:${each}`) ?? 'other';
}
