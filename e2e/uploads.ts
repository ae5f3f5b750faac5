/** Clients that upload, run as a build would run them: they know an address and a token, and nothing of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { culprit, owner, type Server } from '../server/test/harness.ts';

export interface Ended {
  readonly code: number | null;
  /** Both streams, as they came. */
  readonly output: string;
}

/** Runs a program to its end with no settings of Sentry's clients but those given. */
export async function runBuild(
  command: string,
  args: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>>,
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SENTRY_'));
  const child = spawn(command, [...args], {
    cwd,
    // No .sentryclirc of whoever runs the tests.
    env: {
      ...Object.fromEntries(inherited),
      HOME: tmpdir(),
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const clients = {
  3: fileURLToPath(new URL('node_modules/.bin/sentry-cli', import.meta.url)),
  /** As @sentry/nextjs 10 brings it along. */
  2: fileURLToPath(new URL('../examples/next-15/node_modules/.bin/sentry-cli', import.meta.url)),
};

export function sentryCli(
  args: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>>,
  version: keyof typeof clients = 3,
): Promise<Ended> {
  return runBuild(clients[version], args, cwd, settings);
}

/** The client that follows sentry-cli. */
export const sentryProgram = fileURLToPath(new URL('node_modules/.bin/sentry', import.meta.url));

/** Is told to call nobody but the server. */
export function sentry(args: readonly string[], server: Server): Promise<Ended> {
  return runBuild(process.execPath, [sentryProgram, ...args], server.dataDir, {
    SENTRY_URL: server.url,
    SENTRY_AUTH_TOKEN: server.installed.token,
    SENTRY_CONFIG_DIR: join(server.dataDir, 'client'),
    SENTRY_CLI_NO_TELEMETRY: '1',
    SENTRY_CLI_NO_UPDATE_CHECK: '1',
    NO_COLOR: '1',
  });
}

/** The settings that every client reads, with a token that may upload and nothing else. */
export async function uploadSettings(server: Server): Promise<Record<string, string>> {
  const words = ['token', 'create', '--user', owner.email, '--name', 'build', '--scopes', 'project:releases', '--json'];
  const { code, stdout, stderr } = await culprit(words, server.environment);
  if (code !== 0) throw new Error(`no token: ${stderr}`);
  const { token } = JSON.parse(stdout) as { token: string };
  const { organization, project } = server.installed;
  return {
    SENTRY_URL: server.url,
    SENTRY_ORG: organization,
    SENTRY_PROJECT: project,
    SENTRY_AUTH_TOKEN: token,
    // The plugins remember here where an organisation lives, by its name alone, and every test has one of that name.
    SENTRY_CONFIG_DIR: join(server.dataDir, 'upload-client'),
  };
}

/** A token of the organisation, which says where it belongs. */
export async function organizationToken(server: Server): Promise<string> {
  const words = ['token', 'create', '--user', owner.email, '--name', 'ci', '--organization-token', '--json'];
  const { code, stdout, stderr } = await culprit(words, server.environment);
  if (code !== 0) throw new Error(`no token: ${stderr}`);
  return (JSON.parse(stdout) as { token: string }).token;
}

/** Resolves once nothing that was uploaded is still being indexed: events from then on are mapped as they come. */
export async function indexed(server: Server): Promise<void> {
  const { organization, project } = server.installed;
  const path = `/projects/${organization}/${project}/source-maps/`;
  await server.until(
    'uploads to be indexed',
    async () => {
      const { bundles, indexing } = await server.api<{ bundles: number; indexing: number }>(path);
      return bundles > 0 && indexing === 0;
    },
    120_000,
  );
}
