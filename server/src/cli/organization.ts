import { byCommand, openAudit } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { openMigratedState } from './stores.ts';
import { general, organization as texts } from '../base/texts/cli.ts';

export const organizationCommand: Command = {
  name: 'organization',
  summary: texts.summary,
  usage: 'list | create NAME --owner EMAIL [--json]',
  options: { owner: { type: 'string', placeholder: 'EMAIL', help: texts.owner } },
  words: 2,
  examples: ['culprit organization list', 'culprit organization create "Web shop" --owner ada@example.com'],
  async run({ config, words, required, print }) {
    const [action = 'list', name] = words;
    if (!['list', 'create'].includes(action) || (action === 'list' && name !== undefined))
      throw new UsageError(general.actions(['list', 'create NAME']));
    if (action === 'create') {
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
      return;
    }
    await using state = await openMigratedState(config);
    const all = await state.db.selectFrom('organization').select(['id', 'slug', 'name']).orderBy('slug').execute();
    print(
      all,
      all.map((one) => `${one.slug.padEnd(24)} ${one.name}`),
    );
  },
};
