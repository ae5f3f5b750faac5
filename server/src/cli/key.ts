import { findSecrets } from '../base/secrets/index.ts';
import { adoptKey, rememberedKey } from '../ports/state/key-claim.ts';
import { CodedError } from '../base/errors.ts';
import type { Audit } from '../domains/audit/index.ts';
import type { State } from '../ports/state/state.ts';
import { things } from '../base/texts/things.ts';
import { byCommand, openAudit } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { openMigratedState } from './stores.ts';
import { general, key as texts } from '../base/texts/cli.ts';

export const keyCommand: Command = {
  name: 'key',
  summary: texts.summary,
  usage: '[adopt] [--json]',
  options: {},
  words: 1,
  examples: ['culprit key', 'culprit key adopt'],
  async run({ config, words, print }) {
    const [action] = words;
    if (action !== undefined && action !== 'adopt') throw new UsageError(general.actions(['adopt']));
    const secrets = await findSecrets(config);
    if (!secrets) throw new CodedError('NOT_FOUND', [things.key], { hint: texts.noKey });
    await using state = await openMigratedState(config);
    if (action === 'adopt') {
      const before = await rememberedKey(state);
      await adoptKey(state, secrets.fingerprint);
      await tellAll(state, await openAudit(config, state), before, secrets.fingerprint);
    }
    const { fingerprint, source } = secrets;
    const sealedWith = (await rememberedKey(state)) ?? null;
    const lines = [
      `${texts.current.padEnd(19)} ${fingerprint}   ${source}`,
      `${texts.sealedWith.padEnd(19)} ${sealedWith ?? texts.none}`,
    ];
    if (action === 'adopt') {
      lines.push('', texts.adopted);
    }
    print({ fingerprint, source, sealedWith }, lines);
  },
};

/** It concerns every organisation of the installation. */
async function tellAll(state: State, audit: Audit, before: string | undefined, after: string): Promise<void> {
  const organizations = await state.db.selectFrom('organization').select(['id', 'slug']).execute();
  await state.transaction((trx) =>
    audit.record(
      trx,
      organizations.map(({ id, slug }) => ({
        ...byCommand('key adopt'),
        organizationId: id,
        action: 'installation.adopt_key',
        target: { id, name: slug },
        before: { fingerprint: before },
        after: { fingerprint: after },
      })),
    ),
  );
}
