import { ask } from './ask.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization, openMigratedState, publicUrl, readStdin } from './stores.ts';
import { plural, pluralForm } from '../base/numbers.ts';

export const userCommand: Command = {
  name: 'user',
  summary: 'Lists users, adds one to the organisation, or sets a password.',
  usage:
    'list | create --email EMAIL --password-stdin [--name NAME] | password --email EMAIL --password-stdin [--revoke-tokens | --keep-tokens]',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', help: 'of the user' },
    name: { type: 'string', placeholder: 'NAME', help: 'of the user (default: the part before the @)' },
    org: { type: 'string', placeholder: 'SLUG', help: 'organisation (default: the only one)' },
    'password-stdin': { type: 'boolean', help: 'read the password from standard input' },
    'revoke-tokens': { type: 'boolean', help: 'with a new password: end the API tokens of the user, too' },
    'keep-tokens': { type: 'boolean', help: 'with a new password: leave the API tokens, and do not ask' },
  },
  words: 1,
  examples: [
    'culprit user list',
    'echo "$PASSWORD" | culprit user create --email bob@example.com --password-stdin',
    'echo "$PASSWORD" | culprit user password --email bob@example.com --password-stdin --revoke-tokens',
  ],
  async run({ config, words, required, text, flag, json, print }) {
    const [action = 'list'] = words;
    if (!['list', 'create', 'password'].includes(action)) throw new UsageError('say "list", "create" or "password"');
    const email = action === 'list' ? '' : required('email');
    if (flag('revoke-tokens') && flag('keep-tokens'))
      throw new UsageError('say --revoke-tokens or --keep-tokens, not both');
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
    const { createAccounts } = await import('../domains/accounts/index.ts');
    const url = await publicUrl(config);
    const accounts = await createAccounts({ state, getUrl: () => url });
    if (action === 'create') {
      const organization = await findOrganization(state, text('org'));
      const user = await accounts.createUser({ email, password, name: text('name'), organizationId: organization.id });
      print(user, [`Made the user ${user.email} in ${organization.slug}.`]);
      return;
    }
    await accounts.resetPassword({ email, password });
    const { user: own } = await accounts.countTokens(email);
    const tokens = plural(own, 'API token');
    const offer = async (): Promise<boolean> =>
      !flag('keep-tokens') && !json && ((await ask(`${email} has ${tokens}. Revoke?`)) ?? false);
    const isRevoked = own > 0 && (flag('revoke-tokens') || (await offer()));
    if (isRevoked) await accounts.revokeTokens(email);
    const { organization: ofBuilds } = await accounts.countTokens(email);
    print({ email, tokens: own, tokensRevoked: isRevoked, organizationTokens: ofBuilds }, [
      `Set the password of ${email}; all sessions of this user were ended.`,
      own === 0
        ? 'This user has no API tokens.'
        : isRevoked
          ? `Revoked ${tokens}.`
          : `${tokens} of this user still ${pluralForm(own, 'works', 'work')}; --revoke-tokens ends ${pluralForm(own, 'it', 'them')}.`,
      ...(ofBuilds > 0
        ? [`Not touched: ${ofBuilds} made for builds of the organisation; see "culprit token list --user ${email}".`]
        : []),
    ]);
  },
};
