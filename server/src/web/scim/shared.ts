/** What the routes of both kinds of resources share. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { scim as texts } from '../../base/texts/provisioning.ts';
import * as provisioning from '../../domains/provisioning/index.ts';
import type { State } from '../../ports/state/state.ts';

type Answering = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export interface Scim {
  route(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, answer: Answering): void;
  readonly state: State;
  /** Whose directory it is. */
  organizationOf(request: FastifyRequest): string;
  bodyOf(request: FastifyRequest): provisioning.JsonObject;
  /** One transaction with its entries in the audit log; streams of whom it changes are looked at afterwards. */
  changing<T>(request: FastifyRequest, work: (change: provisioning.Change) => Promise<T>): Promise<T>;
  /** Of this interface, as clients write it. */
  readonly base: () => string;
}

/** Of a body. */
export const maxBody = 1024 * 1024;

/** Of the resource in the path. */
export const idOf = ({ params }: FastifyRequest): string => (params as { readonly id: string }).id;

export function bodyOf({ body }: FastifyRequest): provisioning.JsonObject {
  const object = provisioning.readObject(typeof body === 'string' ? body : '');
  if (!object) throw new provisioning.ScimError(400, texts.body, 'invalidSyntax');
  return object;
}
