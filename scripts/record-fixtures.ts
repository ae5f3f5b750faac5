/**
 * Records fixtures anew from the real SDKs: `npm run record-fixtures`, or `npm run record-fixtures -- python go-0.50`.
 *
 * `javascript` goes to fixtures/envelopes and needs Chromium (`CHROMIUM` names the program, default /usr/bin/chromium); other
 * languages, all of one or a folder of it, go to fixtures/languages and need their toolchains. What is missing is said, and the others are recorded.
 */
import { cpus, homedir, hostname, release } from 'node:os';
import { join } from 'node:path';
import { senders } from './recorder/languages/senders.ts';
import { languages } from './recorder/languages/toolchains.ts';
import { recordJavaScript } from './recorder/record-javascript.ts';
import { recordLanguage } from './recorder/record-languages.ts';
import { openRecordingServer } from './recorder/recording-server.ts';
import type { Replacement } from './recorder/scrub.ts';

const root = join(import.meta.dirname, '..');

/** The machine, as it shows in what SDKs send. */
const machine: readonly Replacement[] = [
  { from: root, to: '/app' },
  { from: homedir(), to: '/home/app' },
  // A host name may be as short as a word of the payload; SDKs send it as a whole string.
  { from: `"${hostname()}"`, to: '"web-1"' },
  { from: release(), to: '6.12.0' },
  { from: cpus()[0]?.model ?? '', to: 'Processor' },
];

const known: readonly string[] = ['javascript', ...languages, ...senders.map(({ folder }) => folder)];
const asked = process.argv.slice(2);
const strange = asked.filter((name) => !known.includes(name));
if (strange.length) {
  console.error(`Not recorded: ${strange.join(', ')}. There are ${known.join(', ')}.`);
  process.exit(1);
}
const isAsked = (name: string): boolean => asked.length === 0 || asked.includes(name);

let isComplete = true;
if (isAsked('javascript')) await recordJavaScript(machine);
await using server = await openRecordingServer(new Map());
for (const language of languages) {
  const isFolderAsked = (folder: string): boolean => isAsked(language) || asked.includes(folder);
  if (!senders.some((one) => one.language === language && isFolderAsked(one.folder))) continue;
  const found = await recordLanguage(server, join(root, 'fixtures/languages'), language, machine, isFolderAsked);
  isComplete = found && isComplete;
}
if (!isComplete) process.exitCode = 1;
