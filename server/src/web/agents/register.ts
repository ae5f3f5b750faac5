/** What coding agents read before they ask: `/llms.txt` (llmstxt.org) and the skill that sets an SDK up. For everybody: no data. */
import type { FastifyInstance } from 'fastify';
import { documents, skillName } from './documents.ts';

/** `getUrl`: the public address. */
export function registerAgentPages(app: FastifyInstance, { getUrl }: { readonly getUrl: () => string }): void {
  const texts = { '/llms.txt': documents.llms, [`/skills/${skillName}/SKILL.md`]: documents.skill };
  for (const [path, text] of Object.entries(texts))
    app.get(path, (_request, reply) => reply.type('text/markdown; charset=utf-8').send(text(getUrl())));
}
