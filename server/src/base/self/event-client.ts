/** Makes the event of a failure as the official SDK does. Loaded when the first failure is reported. */
import { hostname } from 'node:os';
import {
  createStackParser,
  type ErrorEvent,
  linkedErrorsIntegration,
  propagationContextFromHeaders,
  Scope,
  serializeEnvelope,
} from '@sentry/core';
import { nodeStackLineParser, ServerRuntimeClient, type ServerRuntimeClientOptions } from '@sentry/core/server';
import type { ErrorCode } from '../errors.ts';
import { dsn } from '../dsn.ts';
import { release, version } from '../version.ts';
import type { InternalKey } from './internal-key.ts';
import type { FailedRequest } from './request-facts.ts';
import { addSource } from './source-context.ts';

export interface Failed {
  readonly error: unknown;
  readonly digest: string;
  /** `warning` for a trouble that has a code of its own. */
  readonly level: 'fatal' | 'error' | 'warning';
  readonly message: string;
  readonly code: ErrorCode | undefined;
  readonly request: FailedRequest | undefined;
  readonly fields: Readonly<Record<string, string | number | undefined>> | undefined;
  /** 32 hexadecimal digits. */
  readonly eventId: string;
}

type Envelope = Parameters<typeof serializeEnvelope>[0];

/** Of envelopes under way, by event id; the SDK gives each to its transport. */
const waiting = new Map<string, (envelope: Envelope) => void>();

function openClient(key: InternalKey): ServerRuntimeClient {
  const options: ServerRuntimeClientOptions = {
    // Names the project in the envelope; nothing is sent to this address.
    dsn: dsn('http://localhost', key.publicKey, key.projectId),
    release,
    environment: 'production',
    serverName: hostname(),
    platform: 'node',
    runtime: { name: 'node', version: process.version },
    stackParser: createStackParser(nodeStackLineParser()),
    integrations: [linkedErrorsIntegration()],
    traceLifecycle: 'static',
    sendClientReports: false,
    _metadata: { sdk: { name: 'culprit.server', version } },
    beforeSend: async (event) => {
      await addSource(framesOf(event));
      return event;
    },
    transport: () => ({
      send: async (envelope) => {
        waiting.get(String(envelope[0].event_id))?.(envelope);
        return {};
      },
      flush: async () => true,
    }),
  };
  const client = new ServerRuntimeClient(options);
  client.init();
  return client;
}

let current: { readonly publicKey: string; readonly client: ServerRuntimeClient } | undefined;

function clientFor(key: InternalKey): ServerRuntimeClient {
  if (current?.publicKey !== key.publicKey) {
    current?.client.dispose();
    current = { publicKey: key.publicKey, client: openClient(key) };
  }
  return current.client;
}

/** Longest that the making of an event may take, ms. */
const patienceMs = 5_000;

/** The envelope that the SDK makes of the failure. Rejects when it makes none. */
export async function toEnvelope(failed: Failed, key: InternalKey): Promise<Uint8Array> {
  const { eventId } = failed;
  const made = Promise.withResolvers<Envelope>();
  waiting.set(eventId, made.resolve);
  const timer = setTimeout(() => made.reject(new Error('the event was not created in time')), patienceMs);
  try {
    const mechanism = { type: 'culprit.server', handled: failed.code !== undefined };
    // The one kind of value that the SDK cannot describe.
    const error = typeof failed.error === 'symbol' ? failed.error.toString() : failed.error;
    clientFor(key).captureException(error, { event_id: eventId, originalException: error, mechanism }, scopeOf(failed));
    const text = serializeEnvelope(await made.promise);
    return typeof text === 'string' ? new TextEncoder().encode(text) : text;
  } finally {
    clearTimeout(timer);
    waiting.delete(eventId);
  }
}

function scopeOf({ digest, level, message, code, request, fields }: Failed): Scope {
  const scope = new Scope();
  scope.setPropagationContext(propagationContextFromHeaders(request?.sentryTrace, undefined));
  scope.setTags({ digest, ...(code && { code }) });
  // One trouble with a code is one issue, wherever it shows.
  if (code) scope.setFingerprint(['culprit', code]);
  scope.setContext('failure', { ...fields, message });
  scope.addEventProcessor((event) => {
    event.level = level;
    if (request) {
      const { method, url, headers, route } = request;
      event.request = { method, url, headers };
      if (route) event.transaction = `${method} ${route}`;
    }
    return event;
  });
  return scope;
}

function framesOf(event: ErrorEvent): readonly NonNullable<StackFrames>[number][] {
  return (event.exception?.values ?? []).flatMap((exception) => exception.stacktrace?.frames ?? []);
}

type StackFrames = NonNullable<
  NonNullable<NonNullable<ErrorEvent['exception']>['values']>[number]['stacktrace']
>['frames'];
