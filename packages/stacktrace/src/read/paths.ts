/** Short names of files: what a project sees of a path, whichever folder it was deployed to. */

/** Folders that programs are usually deployed to; what follows is the project's own. */
const deployed =
  /^(?:\/usr\/src\/app|\/app|\/code|\/workspaces?\/[^/]{1,100}|\/workspace|\/var\/task|\/var\/www\/html|\/opt\/app|\/srv\/app|\/home\/[^/]{1,60}\/app|\.)\//;

/** Below a known folder the rest of the path; else its last folder and its name. */
export function shortPath(path: string): string {
  const root = rootOf(path);
  if (root > 0) return path.slice(root);
  const last = path.lastIndexOf('/');
  return last <= 0 ? path : path.slice(path.lastIndexOf('/', last - 1) + 1);
}

/** Length of the folder that a program was deployed to; 0 where no known one begins the path. */
export function rootOf(path: string): number {
  return deployed.exec(path)?.[0].length ?? 0;
}
