import { byCommand, openAudit } from './audited.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { findOrganization, openMigratedState } from './stores.ts';
import { general, organization as texts } from '../base/texts/cli.ts';

export const organizationCommand: Command = {
  name: 'organization',
  summary: texts.summary,
  usage: 'list | create NAME --owner EMAIL | addresses [SLUG] [--clear] [--json]',
  options: {
    owner: { type: 'string', placeholder: 'EMAIL', help: texts.owner },
    clear: { type: 'boolean', help: texts.clear },
  },
  words: 2,
  examples: [
    'culprit organization list',
    'culprit organization create "Web shop" --owner ada@example.com',
    'culprit organization addresses web-shop --clear',
  ],
  async run(invocation) {
    const [action = 'list', name] = invocation.words;
    if (action === 'list' && name === undefined) return list(invocation);
    if (action === 'create') return create(invocation, name);
    if (action === 'addresses') return addresses(invocation, name);
    throw new UsageError(general.actions(['list', 'create NAME', 'addresses']));
  },
};

async function list({ config, print }: Invocation): Promise<void> {
  await using state = await openMigratedState(config);
  const all = await state.db.selectFrom('organization').select(['id', 'slug', 'name']).orderBy('slug').execute();
  print(
    all,
    all.map((one) => `${one.slug.padEnd(24)} ${one.name}`),
  );
}

async function create({ config, required, print }: Invocation, name: string | undefined): Promise<void> {
  if (!name) throw new UsageError(texts.nameNeeded);
  const owner = required('owner');
  await using state = await openMigratedState(config);
  const { createOrganization } = await import('../domains/accounts/index.ts');
  const audit = await openAudit(config, state);
  const deed = { ...byCommand('organization create'), organizationId: '', action: 'organization.create' } as const;
  const made = await audit.recorded(deed, async (inside, note) => {
    const created = await createOrganization(inside, { name, owner });
    const { id, slug } = created;
    note({ id, name: slug }, { organizationId: id, details: { owner } });
    return created;
  });
  print(made, [texts.created(made.slug, owner)]);
}

/** The way back in for who is locked out: the list of allowed addresses, and its end. */
async function addresses({ config, flag, print }: Invocation, name: string | undefined): Promise<void> {
  await using state = await openMigratedState(config);
  const { id, slug } = await findOrganization(state, name);
  const { changeSwitches, switchesOf } = await import('../domains/accounts/index.ts');
  const { allowedAddresses } = await switchesOf(state, id);
  const told = { organization: slug, allowedAddresses };
  if (!flag('clear')) {
    print(told, allowedAddresses.length ? [...allowedAddresses] : [texts.anyAddress(slug)]);
    return;
  }
  const audit = await openAudit(config, state);
  const deed = { ...byCommand('organization addresses'), organizationId: id, action: 'organization.update' } as const;
  await audit.recorded(deed, async (inside, note) => {
    await changeSwitches(inside, id, { allowedAddresses: [] });
    note({ id, name: slug }, { before: { allowedAddresses }, after: { allowedAddresses: [] } });
  });
  print({ ...told, allowedAddresses: [] }, [texts.anyAddress(slug)]);
}
