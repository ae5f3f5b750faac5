import { findSecrets } from '../base/secrets/index.ts';
import { adoptKey, rememberedKey } from '../ports/state/key-claim.ts';
import { CodedError } from '../base/errors.ts';
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
    if (!secrets) throw new CodedError('NOT_FOUND', ['key'], { hint: texts.noKey });
    await using state = await openMigratedState(config);
    if (action === 'adopt') await adoptKey(state, secrets.fingerprint);
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
