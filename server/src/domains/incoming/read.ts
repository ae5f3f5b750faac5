/** A request of a provider, read. */
import { CodedError } from '../../base/errors.ts';
import { incoming as texts } from '../../base/texts/incoming.ts';
import type { Json } from './providers/fields.ts';
import { readGithub } from './providers/github.ts';
import { readGitlab } from './providers/gitlab.ts';
import { readNetlify } from './providers/netlify.ts';
import { readVercel } from './providers/vercel.ts';
import type { IncomingProvider, Reading } from './types.ts';
import { headerOf, type RequestHeaders } from './verify.ts';

const readers: Readonly<Record<IncomingProvider, (headers: RequestHeaders, body: Json, now: number) => Reading>> = {
  github: readGithub,
  gitlab: readGitlab,
  vercel: readVercel,
  netlify: readNetlify,
};

/** Throws `INPUT_INVALID` for what is no JSON object. */
export function readIncoming(provider: IncomingProvider, headers: RequestHeaders, body: Buffer, now: number): Reading {
  return readers[provider](headers, jsonIn(headers, body), now);
}

function jsonIn(headers: RequestHeaders, body: Buffer): Json {
  const text = body.toString();
  // GitHub's other content type.
  const isForm = headerOf(headers, 'content-type').startsWith('application/x-www-form-urlencoded');
  const json = isForm ? (new URLSearchParams(text).get('payload') ?? '') : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new CodedError('INPUT_INVALID', [texts.json], { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CodedError('INPUT_INVALID', [texts.json]);
  }
  return value as Json;
}
