/**
 * The scaled form of Culprit for a test that was written for one server: several nodes, none with all roles, on stores that
 * they share, behind a balancer at the server's address.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../src/ports/events/free-port.ts';
import { startBalancer } from './balancer.ts';
import { takeStores } from './stores.ts';

/** `CULPRIT_TEST_FORM`: what servers of tests consist of that say nothing of their stores. */
export const isScaled = process.env.CULPRIT_TEST_FORM === 'scaled';

/** Two where a request may reach one and the next request the other. */
const nodeRoles = ['process', 'intake', 'intake', 'api', 'api', 'jobs'] as const;

export interface NodeSettings {
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ScaledForm extends AsyncDisposable {
  readonly nodes: readonly NodeSettings[];
  /** Of a node with the API, where whoever runs the installation would start commands. */
  readonly environment: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly installed: unknown;
  isDrained(): Promise<boolean>;
}

/** `environment`: of a server with all roles, whose port is the balancer's. Everything lies in `dir`. */
export async function layScaled(
  dir: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  { init }: { readonly init: boolean },
): Promise<ScaledForm> {
  await using opened = new AsyncDisposableStack();
  const stores = opened.use(await takeStores({ init }));
  const common = {
    ...environment,
    ...stores.environment,
    // Nobody but the balancer has this port; a server without an address takes both names.
    ...(!environment['CULPRIT_URL'] && {
      CULPRIT_URL: `http://localhost:${port}`,
      CULPRIT_ALLOWED_HOSTS: '127.0.0.1',
    }),
  };
  const nodes = await Promise.all(
    nodeRoles.map(async (role, index) => {
      const own = { role, port: await findFreePort(), dataDir: join(dir, `${role}-${index}`) };
      // Only its owner may look into it.
      await mkdir(own.dataDir, { mode: 0o700 });
      const settings = { CULPRIT_ROLE: role, CULPRIT_PORT: String(own.port), CULPRIT_DATA_DIR: own.dataDir };
      return { ...own, environment: { ...common, ...settings } };
    }),
  );
  const portsOf = (wanted: string): number[] => nodes.flatMap((node) => (node.role === wanted ? [node.port] : []));
  opened.use(await startBalancer({ port, nodes: { intake: portsOf('intake'), api: portsOf('api') } }));
  const asked = nodes.find(({ role }) => role === 'api');
  if (!asked) throw new Error('no node has the API');
  const everything = opened.move();
  return {
    nodes,
    environment: { ...common, CULPRIT_DATA_DIR: asked.dataDir },
    dataDir: asked.dataDir,
    installed: stores.installed,
    isDrained: () => stores.isDrained(),
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
