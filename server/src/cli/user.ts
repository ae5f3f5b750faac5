import { ask } from './ask.ts';
import type { StateTransaction } from '../ports/state/state.ts';
import { within } from '../ports/state/within.ts';
import { byCommand, openAudit, tellOfUser } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization, openMigratedState, publicUrl, readStdin } from './stores.ts';
import { linkMinutes, recover } from './user-recovery.ts';
import { general, user as texts } from '../base/texts/cli.ts';

const actions = ['list', 'create', 'password', 'recovery'];

export const userCommand: Command = {
  name: 'user',
  summary: texts.summary,
  usage:
    'list | create --email EMAIL --password-stdin [--name NAME] | password --email EMAIL --password-stdin [--revoke-tokens | --keep-tokens] | recovery --email EMAIL [--remove-factors]',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', help: texts.email },
    name: { type: 'string', placeholder: 'NAME', help: texts.name },
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
    'password-stdin': { type: 'boolean', help: general.passwordStdin },
    'revoke-tokens': { type: 'boolean', help: texts.revokeTokens },
    'keep-tokens': { type: 'boolean', help: texts.keepTokens },
    'remove-factors': { type: 'boolean', help: texts.removeFactors },
  },
  words: 1,
  examples: [
    'culprit user list',
    'echo "$PASSWORD" | culprit user create --email bob@example.com --password-stdin',
    'echo "$PASSWORD" | culprit user password --email bob@example.com --password-stdin --revoke-tokens',
    'culprit user recovery --email ada@example.com',
  ],
  async run({ config, words, required, text, flag, json, print }) {
    const [action = 'list'] = words;
    if (!actions.includes(action)) throw new UsageError(general.actions(actions));
    const email = action === 'list' ? '' : required('email');
    if (flag('revoke-tokens') && flag('keep-tokens')) throw new UsageError(texts.either);
    const setsPassword = action === 'create' || action === 'password';
    if (setsPassword && !flag('password-stdin')) throw new UsageError(general.passwordStdinNeeded);
    const password = setsPassword ? await readStdin() : '';
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
    if (action === 'recovery') {
      const removesFactors = flag('remove-factors');
      const { link, address } = await recover(config, state, { email, removesFactors });
      print({ email, link, factorsRemoved: removesFactors }, [
        texts.recovery(email, linkMinutes),
        '',
        `  ${link}`,
        '',
        texts.recoveryWhat,
        texts.recoveryAddress(address),
        removesFactors ? texts.factorsRemoved : texts.factorsStay,
      ]);
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
    const tell = (trx: StateTransaction, done: 'user.set_password' | 'token.revoke_all'): Promise<void> =>
      tellOfUser(audit, trx, byCommand('user password'), { email, action: done });
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
