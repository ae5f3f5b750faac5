/** Who sends a request, and from where, as the audit log has it. */
import type { FastifyRequest } from 'fastify';
import type { Identity } from '../../domains/accounts/index.ts';
import type { Actor, Source } from '../../domains/audit/index.ts';

export function actorOf(identity: Identity | undefined): Actor {
  if (!identity) return { type: 'visitor' };
  const { kind, user, token, sessionId } = identity;
  const { id, name, email } = user;
  return kind === 'token' && token
    ? { type: 'token', id, name, email, token: { id: token.id, name: token.name } }
    : { type: 'user', id, name, email, session: sessionId };
}

export const sourceOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Source => ({
  address: ip,
  agent: headers['user-agent'],
});
