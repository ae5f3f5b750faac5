/** Runs the example Node program with the SDK under test to its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export async function runNodeApp(options: {
  sdk: string;
  dsn: string;
  scenario: string;
  release: string;
  /** Of `apps/`, where it is not the one that fails in several ways. */
  program?: string;
}): Promise<void> {
  const app = fileURLToPath(new URL(`./apps/${options.program ?? 'node-app.mjs'}`, import.meta.url));
  const { sdk, dsn, scenario, release } = options;
  await once(spawn(process.execPath, [app, sdk, dsn, scenario, release], { stdio: 'ignore' }), 'exit');
}
