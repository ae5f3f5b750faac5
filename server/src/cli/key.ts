import { findSecrets } from '../base/secrets/index.ts';
import { adoptKey, rememberedKey } from '../ports/state/key-claim.ts';
import { CodedError } from '../base/errors.ts';
import { type Command, UsageError } from './command.ts';
import { openMigratedState } from './stores.ts';

export const keyCommand: Command = {
  name: 'key',
  summary: 'Says which key secrets are sealed with, or goes on with the one that is here.',
  usage: '[adopt] [--json]',
  options: {},
  words: 1,
  examples: ['culprit key', 'culprit key adopt'],
  async run({ config, words, print }) {
    const [action] = words;
    if (action !== undefined && action !== 'adopt') throw new UsageError(`"${action}" is not "adopt"`);
    const secrets = await findSecrets(config);
    if (!secrets) throw new CodedError('NOT_FOUND', ['there is no key yet; "culprit serve" makes it: it was']);
    await using state = await openMigratedState(config);
    if (action === 'adopt') await adoptKey(state, secrets.fingerprint);
    const { fingerprint, source } = secrets;
    const sealedWith = (await rememberedKey(state)) ?? null;
    const lines = [
      `key here                ${fingerprint}   ${source}`,
      `secrets are sealed with ${sealedWith ?? '(none yet)'}`,
    ];
    if (action === 'adopt') {
      lines.push('', 'The server starts with this key now. What was sealed with another has to be entered again.');
    }
    print({ fingerprint, source, sealedWith }, lines);
  },
};
