import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { CodedError } from '../base/errors.ts';
import { type Break, type Noted, type Verified, verifyChain, verifyLines } from '../domains/audit/index.ts';
import { sealHere } from './audited.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization, openInstallation } from './stores.ts';
import { audit as texts, general } from '../base/texts/cli.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: texts.summary,
  usage: 'verify [--org SLUG] [--noted NUMBER:HASH | --file PATH] [--json]',
  options: {
    org: { type: 'string', placeholder: 'SLUG', help: texts.organization },
    noted: { type: 'string', placeholder: 'NUMBER:HASH', help: texts.noted },
    file: { type: 'string', placeholder: 'PATH', help: texts.file },
  },
  words: 1,
  examples: [
    'culprit audit verify',
    `culprit audit verify --org acme --noted 1200:${'5f'.repeat(4)}…`,
    'culprit audit verify --file audit-log-acme-2026-11-26.jsonl',
  ],
  /** 0 whole, 1 broken. */
  async run({ config, words, text, print }) {
    if (words[0] !== 'verify') throw new UsageError(general.actions(['verify']));
    const [file, noted] = [text('file'), readNoted(text('noted'))];
    if (file !== undefined && noted) throw new UsageError(texts.either);
    if (file !== undefined) {
      const found = await verifyLines(createInterface({ input: createReadStream(file) })).catch((error: unknown) => {
        throw new CodedError('NOT_FOUND', [file], { cause: error });
      });
      print(found, found.length ? found.flatMap((one) => linesOf(one, one.organizationId)) : [texts.empty(file)]);
      return found.some(({ breaks }) => breaks.length) ? 1 : 0;
    }
    await using state = await openInstallation(config);
    const seal = await sealHere(config, state);
    const asked = text('org');
    const organizations =
      asked !== undefined || noted
        ? [await findOrganization(state, asked)]
        : await state.db.selectFrom('organization').select(['id', 'slug']).orderBy('slug').execute();
    const found: (Verified & { organization: string })[] = [];
    const lines: string[] = [];
    for (const { id, slug } of organizations) {
      const verified = await verifyChain(state, seal, id, noted);
      if (!verified) {
        lines.push(texts.empty(slug));
        continue;
      }
      found.push({ organization: slug, ...verified });
      lines.push(...linesOf(verified, slug));
    }
    if (!seal) lines.push('', texts.noKey);
    print(found, lines);
    return found.some(({ breaks }) => breaks.length) ? 1 : 0;
  },
};

function readNoted(given: string | undefined): Noted | undefined {
  if (given === undefined) return undefined;
  const [, seq, hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(given) ?? [];
  if (seq === undefined) throw new UsageError(texts.notedInvalid);
  return { seq: Number(seq), hash };
}

function linesOf({ first, last, hash, entries, breaks }: Verified, name: string): string[] {
  if (!breaks.length) return [texts.whole(name, entries, first, last), texts.note(last, hash)];
  return [texts.broken(name, entries, first, last), ...breaks.map((one) => `  ${sentence(one)}`)];
}

function sentence({ kind, seq, until, reason = '' }: Break): string {
  return texts.breaks[kind](seq === until ? String(seq) : `${seq}–${until}`, reason);
}
