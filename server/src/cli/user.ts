import { ask } from './ask.ts';
import type { StateTransaction } from '../ports/state/state.ts';
import { within } from '../ports/state/within.ts';
import { byCommand, openAudit } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization, openMigratedState, publicUrl, readStdin } from './stores.ts';
import { general, user as texts } from '../base/texts/cli.ts';

export const userCommand: Command = {
  name: 'user',
  summary: texts.summary,
  usage:
    'list | create --email EMAIL --password-stdin [--name NAME] | password --email EMAIL --password-stdin [--revoke-tokens | --keep-tokens]',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', help: texts.email },
    name: { type: 'string', placeholder: 'NAME', help: texts.name },
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
    'password-stdin': { type: 'boolean', help: general.passwordStdin },
    'revoke-tokens': { type: 'boolean', help: texts.revokeTokens },
    'keep-tokens': { type: 'boolean', help: texts.keepTokens },
  },
  words: 1,
  examples: [
    'culprit user list',
    'echo "$PASSWORD" | culprit user create --email bob@example.com --password-stdin',
    'echo "$PASSWORD" | culprit user password --email bob@example.com --password-stdin --revoke-tokens',
  ],
  async run({ config, words, required, text, flag, json, print }) {
    const [action = 'list'] = words;
    if (!['list', 'create', 'password'].includes(action))
      throw new UsageError(general.actions(['list', 'create', 'password']));
    const email = action === 'list' ? '' : required('email');
    if (flag('revoke-tokens') && flag('keep-tokens')) throw new UsageError(texts.either);
    if (action !== 'list' && !flag('password-stdin')) throw new UsageError(general.passwordStdinNeeded);
    const password = action === 'list' ? '' : await readStdin();
    await using state = await openMigratedState(config);
    if (action === 'list') {
      const users = await state.db
        .selectFrom('user')
        .select(['id', 'email', 'name'])
        // Service accounts are nobody, and listed with the tokens.
        .where('email', 'not like', '%@service.invalid')
        .orderBy('email')
        .execute();
      print(
        users,
        users.map((user) => `${user.email.padEnd(36)} ${user.name}`),
      );
      return;
    }
    const { createAccounts } = await import('../domains/accounts/index.ts');
    const url = await publicUrl(config);
    const accounts = await createAccounts({ state, getUrl: () => url });
    const audit = await openAudit(config, state);
    if (action === 'create') {
      const organization = await findOrganization(state, text('org'));
      const input = { email, password, name: text('name'), organizationId: organization.id };
      const user = await accounts.createUser(input, (trx, { id, email: name }) =>
        audit.record(trx, [
          {
            ...byCommand('user create'),
            organizationId: organization.id,
            action: 'member.add',
            target: { id, name },
            details: { role: 'member' },
          },
        ]),
      );
      print(user, [texts.created(user.email, organization.slug)]);
      return;
    }
    const tell = async (trx: StateTransaction, action: 'user.set_password' | 'token.revoke_all'): Promise<void> => {
      const ids = await organizationsOf(trx, email);
      const target = { id: email.toLowerCase(), name: email.toLowerCase() };
      const deed = { ...byCommand('user password'), action, target };
      await audit.record(
        trx,
        ids.map((organizationId) => ({ ...deed, organizationId })),
      );
    };
    await accounts.resetPassword({ email, password }, (trx) => tell(trx, 'user.set_password'));
    const { user: own } = await accounts.countTokens(email);
    const offer = async (): Promise<boolean> =>
      !flag('keep-tokens') && !json && ((await ask(texts.askRevoke(email, own))) ?? false);
    const isRevoked = own > 0 && (flag('revoke-tokens') || (await offer()));
    if (isRevoked) {
      await state.transaction(async (trx) => {
        await accounts.revokeTokens(email, within(state, trx));
        await tell(trx, 'token.revoke_all');
      });
    }
    const { organization: ofBuilds } = await accounts.countTokens(email);
    print({ email, tokens: own, tokensRevoked: isRevoked, organizationTokens: ofBuilds }, [
      texts.passwordSet(email),
      own === 0 ? texts.noTokens : isRevoked ? texts.revoked(own) : texts.stillValid(own),
      ...(ofBuilds > 0 ? [texts.buildTokens(ofBuilds, email)] : []),
    ]);
  },
};

async function organizationsOf(trx: StateTransaction, email: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('member.organizationId')
    .where('user.email', '=', email.toLowerCase())
    .execute();
  return rows.map(({ organizationId }) => organizationId);
}
