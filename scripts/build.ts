/**
 * Builds what changed since the last build, each from what stands before it: the packages, the description of the API,
 * the console's messages, the console, the server. All of it with `--force`.
 */
const parts = [
  () => import('./slim-node.ts'),
  () => import('./build-packages.ts'),
  () => import('./build-api.ts'),
  () => import('./build-client.ts'),
  async () => (await import('../console/scripts/build-messages.ts')).default(),
  () => import('./build-console.ts'),
  () => import('./build-server.ts'),
];

for (const build of parts) if (!process.exitCode) await build();
