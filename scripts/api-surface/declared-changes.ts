/**
 * What the API of the next version takes away from programs that work with the last one, as a failing test of
 * `api-surface` says it, and why. Emptied when a version is released; CHANGELOG.md tells what stood here.
 */
export interface DeclaredChange {
  readonly change: string;
  readonly why: string;
}

const whyDebugFiles =
  'The last version refused every body, since it took no debug files; now they are those of sentry-cli.';

const whyDiskUsage =
  'The directory is measured each hour and not for each request; until the first time its size is not known.';

const whyRegion =
  "Sentry's MCP server refuses an address that is not https, and goes on with the one that it has where none is said.";

export const declaredChanges: readonly DeclaredChange[] = [
  { change: '@Organization.links.regionUrl may be missing', why: whyRegion },
  { change: 'POST /projects/{org}/{project}/files/difs/assemble/ body{} does not take any', why: whyDebugFiles },
  { change: 'POST /projects/{org}/{project}/files/difs/assemble/ body{}.chunks must be there', why: whyDebugFiles },
  { change: 'POST /projects/{org}/{project}/files/difs/assemble/ body{}.name must be there', why: whyDebugFiles },
  { change: 'GET /health/ 200.disk.usedBytes may be null', why: whyDiskUsage },
];
