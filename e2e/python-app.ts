/** Programs with SDKs of Python, of several years, as provisioning has installed them. */
import { runScenario } from '../scripts/recorder/languages/run.ts';
import { makePython } from '../scripts/recorder/languages/toolchains.ts';
import type { Server } from '../server/test/harness.ts';

/** Requirements and their folder, by what the SDK calls itself. */
const made = {
  'sentry-sdk 0.19': ['0.19', 'python-0.19'],
  'sentry-sdk 1.45': ['1', 'python-1'],
  'sentry-sdk 2.75': ['2-web', 'python-2-web'],
} as const;

export type PythonSdk = keyof typeof made;

/** `program`: of the recorder's, whose argument is the scenario. */
export async function runPythonApp(
  { url, installed }: Pick<Server, 'url' | 'installed'>,
  { sdk, program, scenario }: { readonly sdk: PythonSdk; readonly program: string; readonly scenario: string },
): Promise<void> {
  const [requirements, as] = made[sdk];
  const { username, pathname } = new URL(installed.dsn);
  const to = { origin: url, key: username, id: pathname.slice(1) };
  const own = makePython('python', program, `python/requirements/${requirements}.txt`, as);
  await runScenario(own, scenario, to);
}
