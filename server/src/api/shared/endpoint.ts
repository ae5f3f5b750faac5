/**
 * What a route is before it does anything: its address, who may call it and the zod schemas of what goes in and comes
 * out. Validation, the OpenAPI document and the console's types are all made from these; the routes of the resource
 * implement them.
 */
import type { z } from 'zod';
import type { Scope } from '../../domains/accounts/index.ts';

/** `public`: anyone; `user`: anyone who is signed in or sends a valid token; else the scope that the caller needs, or one of several. */
export type Access = 'public' | 'user' | Scope | readonly Scope[];

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/0`, with Fastify's `:name` parameters and a trailing slash. */
  readonly url: string;
  /** Name of the call in the OpenAPI document; unique. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** What a token needs instead, where a session's `access` would let too many of them in. */
  readonly tokenAccess?: Scope;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Bytes of the body, where it may be larger than usual. */
  readonly bodyLimit?: number;
  /** The body is an upload, which may take its time. */
  readonly upload?: boolean;
  /** Sets the cookie of a session: only under a name of this installation. */
  readonly signsIn?: boolean;
  /** Of success: 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly response?: z.ZodType;
  /** Content type of a success that is no JSON; such a route writes its own answer. */
  readonly produces?: string;
  /** The issue in the path may be feedback as well, which Sentry's clients have among issues. */
  readonly alsoFeedback?: true;
  /** Content type in which the answer can be asked for as well: the handler gives a text then, and says that it is one. */
  readonly alsoProduces?: string;
}

/** Keeps the precise types of the schemas, which `implement` turns into the handler's types. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
