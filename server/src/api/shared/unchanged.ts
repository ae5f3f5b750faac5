/**
 * An answer that the caller has already is not sent again. The tag is made of what this caller may see, when it has been
 * made for them: who may not see it any more is refused before, whatever tag they send. Whoever wants to ask so keeps the
 * answer in memory: no browser writes it to its disk.
 */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Weak, since a compressed answer has other bytes. */
export const tagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;

/** Whether `If-None-Match` has the tag; weak and strong ones are alike here. */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (one: string): string => one.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag));
}

export function sendUnlessUnchanged(request: FastifyRequest, reply: FastifyReply, answer: unknown): FastifyReply {
  // Of a type that the handler named, it is a text already.
  const type = reply.getHeader('content-type') ?? 'application/json; charset=utf-8';
  const isText = typeof answer === 'string' && reply.hasHeader('content-type');
  const text = isText ? answer : String(reply.serialize(answer as Record<string, unknown>));
  const tag = tagOf(text);
  void reply.header('etag', tag);
  if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(String(type)).send(text);
}
