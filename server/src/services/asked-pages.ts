/**
 * The API and the console, loaded with the first request for them: a server that only receives needs a sixth less memory
 * without, and starts sooner. They are an app of their own, since nothing can be added to one that listens.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Whatever nobody else answers goes to the app that `open` makes. Returns what gives that. */
export function registerAskedPages(
  app: FastifyInstance,
  open: () => Promise<FastifyInstance>,
): () => Promise<FastifyInstance> {
  let opening: Promise<FastifyInstance> | undefined;
  const opened = (): Promise<FastifyInstance> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  // Before the body is read: whoever answers reads it.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const pages = await opened();
    reply.hijack();
    pages.routing(request.raw, reply.raw);
  };
  const handler = (): never => {
    throw new Error('it was handed over before');
  };
  const method = app.supportedMethods;
  // Named by themselves, so that no path with a parameter in this place takes what is the API's.
  for (const url of ['/api/0/*', '/api/auth/*', '/', '/*']) app.route({ method, url, onRequest, handler });
  // Ends live streams, for which the server would wait.
  app.addHook('preClose', async () => {
    // Where it could not be opened, whoever asked was told.
    const pages = await opening?.catch(() => undefined);
    await pages?.close();
  });
  return opened;
}
