/** Records fixtures/languages anew: every program of the languages asked for, scenario by scenario. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runScenario } from './languages/run.ts';
import { type LanguageSender, senders } from './languages/senders.ts';
import { type Language, missingTools, type Program, runtimeOf } from './languages/toolchains.ts';
import type { RecordingServer } from './recording-server.ts';
import type { Replacement } from './scrub.ts';
import { writeLanguageFixtures } from './write-language-fixtures.ts';

const key = '0123456789abcdef0123456789abcdef';

function replacementsOf(program: Program, port: number, machine: readonly Replacement[]): Replacement[] {
  return [
    ...program.places.map(([from, to]) => ({ from, to })).filter(({ from, to }) => from !== to),
    { from: program.directory, to: '/app' },
    { from: `127.0.0.1:${port}`, to: 'monitor.example.com' },
    // Cargo names its folders after the registry.
    { from: ['index', 'crates', 'io'].join('.'), to: 'index-crates-io' },
    ...machine,
  ];
}

async function recordSender(
  server: RecordingServer,
  output: string,
  sender: LanguageSender,
  machine: readonly Replacement[],
): Promise<void> {
  const program = sender.make();
  const runtime = runtimeOf(sender.language);
  const replacements = replacementsOf(program, server.port, machine);
  const to = { origin: `http://127.0.0.1:${server.port}`, key, id: '1' };
  rmSync(join(output, sender.folder), { recursive: true, force: true });
  const names: string[] = [];
  for (const scenario of sender.scenarios) {
    const said = await runScenario(program, scenario.name, to);
    await server.quiet(50);
    const recorded = server.take();
    if (recorded.length === 0) throw new Error(`${sender.folder}/${scenario.name} sent nothing: ${said}`);
    const printed = scenario.isPrinted ? await runScenario(program, scenario.name) : '';
    names.push(...writeLanguageFixtures(output, sender, runtime, scenario, recorded, printed, replacements));
  }
  console.log(`${sender.folder}: ${names.join(', ')}`);
}

/** Whether nothing was missing; what is missing is said, and its recordings stay as they are. */
export async function recordLanguage(
  server: RecordingServer,
  output: string,
  language: Language,
  machine: readonly Replacement[],
  isAsked: (folder: string) => boolean,
): Promise<boolean> {
  const missing = missingTools(language);
  if (missing.length) {
    console.error(`${language} is not recorded. Install ${missing.join(' and ')}.`);
    return false;
  }
  for (const sender of senders.filter((one) => one.language === language && isAsked(one.folder))) {
    await recordSender(server, output, sender, machine);
  }
  return true;
}
