/** All routes of a running program, read from its router. */
import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: string;
  /** With `:names` and `*`, and without a slash at the end. */
  readonly url: string;
}

/** The router draws a tree, in which each branch holds what comes after the text of the one it grows from. */
export function routesOf(app: FastifyInstance): Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes().split('\n')) {
    const [, indent = '', text = '', methods] = /^([│├└─\s]*)(\S*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (text === '') continue;
    const depth = indent.length / 4 - 1;
    const url = `${above[depth - 1] ?? ''}${text}`;
    above.splice(depth, Infinity, url);
    for (const method of methods?.split(', ') ?? []) routes.push({ method, url });
  }
  return routes;
}
