import { type Command, UsageError } from './command.ts';
import { findOrganization, openMigratedState, publicUrl, readStdin } from './stores.ts';

export const userCommand: Command = {
  name: 'user',
  summary: 'Lists users, adds one to the organisation, or sets a password.',
  usage: 'list | create --email EMAIL --password-stdin [--name NAME] | password --email EMAIL --password-stdin',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', help: 'of the user' },
    name: { type: 'string', placeholder: 'NAME', help: 'of the user (default: the part before the @)' },
    org: { type: 'string', placeholder: 'SLUG', help: 'organisation (default: the only one)' },
    'password-stdin': { type: 'boolean', help: 'read the password from standard input' },
  },
  words: 1,
  examples: ['culprit user list', 'echo "$PASSWORD" | culprit user create --email bob@example.com --password-stdin'],
  async run({ config, words, required, text, flag, print }) {
    const [action = 'list'] = words;
    if (!['list', 'create', 'password'].includes(action)) throw new UsageError('say "list", "create" or "password"');
    const email = action === 'list' ? '' : required('email');
    if (action !== 'list' && !flag('password-stdin'))
      throw new UsageError('--password-stdin is needed: the password is read from standard input');
    const password = action === 'list' ? '' : await readStdin();
    await using state = await openMigratedState(config);
    if (action === 'list') {
      const users = await state.db.selectFrom('user').select(['id', 'email', 'name']).orderBy('email').execute();
      print(
        users,
        users.map((user) => `${user.email.padEnd(36)} ${user.name}`),
      );
      return;
    }
    const { createAccounts } = await import('../accounts/index.ts');
    const url = await publicUrl(config);
    const accounts = await createAccounts({ state, getUrl: () => url });
    if (action === 'create') {
      const organization = await findOrganization(state, text('org'));
      const user = await accounts.createUser({ email, password, name: text('name'), organizationId: organization.id });
      print(user, [`Made the user ${user.email} in ${organization.slug}.`]);
      return;
    }
    await accounts.resetPassword({ email, password });
    print({ email }, [`Set the password of ${email}; other sessions of this user were ended.`]);
  },
};
