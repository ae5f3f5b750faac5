/**
 * Sign-in by SAML 2.0. A request goes to the provider by a redirect; its response is posted to `receive`, judged, and
 * waits for the browser, which comes back to the callback of all providers (`finish`) with its ticket and its cookies.
 */
import { X509Certificate } from 'node:crypto';
import { samlTexts } from '../../../base/texts/saml.ts';
import type { Asserted } from '../admit.ts';
import { beginFlow, endFlow, type FlowStore, peekFlow } from '../flows.ts';
import type { Protocol } from '../protocol.ts';
import type { Provider } from '../provider.ts';
import { SignInRefused } from '../refused.ts';
import { keepAnswer, takeAnswer } from './answers.ts';
import { described } from './attributes.ts';
import { decodeResponse } from './encoding.ts';
import { refuse, type SamlReason, SamlRefusal } from './refusal.ts';
import { requestIdOf, requestUrl, stateOf } from './request.ts';
import { claimedRequest, readResponse } from './response.ts';
import { readSettings, type SamlSettings } from './settings.ts';
import { ownSide } from './side.ts';

export interface Received {
  /** Where the browser goes on, on this site. */
  readonly url: URL;
  /** Of a response that nobody asked for: the flow that it began, for the browser. */
  readonly flow: { readonly state: string; readonly browser: string } | undefined;
}

export interface Saml extends Protocol {
  /** Takes what a provider posts: base64 as the form has it. Throws `SignInRefused`. */
  receive(provider: Provider, samlResponse: string, callback: string): Promise<Received>;
}

export function createSaml(store: FlowStore): Saml {
  return {
    async begin(provider, { callback, state }) {
      const settings = readSettings(provider.settings);
      const url = await requestUrl({
        ...ownSide(callback),
        id: requestIdOf(state),
        ssoUrl: settings.ssoUrl,
        nameIdFormat: settings.nameIdFormat,
        privateKey: settings.signRequests ? signingKey(settings) : undefined,
        now: Date.now(),
      });
      return { url, kept: {} };
    },
    async finish(provider, { url, state }) {
      const ticket = url.searchParams.get('ticket') ?? '';
      const asserted = await takeAnswer(store, { providerId: provider.id, state, ticket }, Date.now());
      if (!asserted) throw new SignInRefused('flow_over');
      return asserted;
    },
    receive: (provider, samlResponse, callback) => receive(store, provider, samlResponse, callback),
    async probe({ settings }) {
      const { certificates } = readSettings(settings);
      const until = Math.max(...certificates.map((pem) => new X509Certificate(pem).validToDate.getTime()));
      const isOver = until <= Date.now();
      return { ok: !isOver, detail: isOver ? samlTexts.certificatesOver(until) : samlTexts.certificatesFine(until) };
    },
  };
}

function signingKey({ privateKey }: SamlSettings): string {
  if (privateKey === undefined) throw new SignInRefused('failed', samlTexts.keyGone);
  return privateKey;
}

async function receive(store: FlowStore, provider: Provider, text: string, callback: string): Promise<Received> {
  const settings = readSettings(provider.settings);
  let state: string | undefined;
  try {
    const bytes = decodeResponse(text);
    const claimed = claimedRequest(bytes);
    // Before anything is decrypted: each try at what our key opens costs a request that somebody began.
    state = claimed === undefined ? undefined : await flowOf(store, provider, claimed);
    if (claimed === undefined && !settings.idpInitiated) refuse('unsolicited');
    const now = Date.now();
    const { entityId, acs } = ownSide(callback);
    const { assertionId, until, ...said } = await readResponse(
      bytes,
      { certificates: settings.certificates, signed: settings.signed, decryptionKey: settings.privateKey },
      {
        entityId: settings.entityId,
        audience: entityId,
        acs,
        nameIdFormat: settings.nameIdFormat,
        inResponseTo: claimed,
        skewMs: settings.skewMs,
        now,
      },
    );
    // An address is the provider's word, which counts in the domains that are its own (`admit`).
    const { subject, secondFactor } = said;
    const asserted: Asserted = { subject, secondFactor, emailVerified: true, ...described(settings, said) };
    const flow = state === undefined ? await begunFlow(store, provider.id, now) : undefined;
    const answer = { providerId: provider.id, state: state ?? flow?.state ?? '', assertionId, until, asserted };
    const ticket = await keepAnswer(store, answer, now);
    const url = new URL(callback);
    url.searchParams.set('state', answer.state);
    url.searchParams.set('ticket', ticket);
    return { url, flow };
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    // A request has one response; the second try is a new request.
    if (state !== undefined && error.reason !== 'replayed') {
      await endFlow(store, { state, browser: undefined, providerId: provider.id }, Date.now());
    }
    const words = samlTexts.because(samlTexts.refused[error.reason], error.detail);
    // What a stranger posts, whom nobody sent to the provider, says nothing about the provider.
    const isProblem = state !== undefined && kindOf(error.reason) === 'failed';
    throw new SignInRefused(kindOf(error.reason), words, { cause: error, audited: `saml_${error.reason}`, isProblem });
  }
}

/** The state of the flow whose request this is. Throws `SamlRefusal`. */
async function flowOf(store: FlowStore, provider: Provider, requestId: string): Promise<string> {
  const state = stateOf(requestId) ?? refuse('unknown_request');
  const flow = (await peekFlow(store, state, Date.now())) ?? refuse('unknown_request');
  if (flow.providerId !== provider.id) refuse('other_provider');
  return state;
}

/** For a response that came unasked, so that it goes on as the others do. */
async function begunFlow(store: FlowStore, providerId: string, now: number) {
  const { state, browser } = await beginFlow(store, { providerId, returnTo: '/' }, now, async () => ({
    kept: {},
    result: undefined,
  }));
  return { state, browser };
}

/** What whoever signs in is told of it. */
const kindOf = (reason: SamlReason) =>
  reason === 'status'
    ? 'denied'
    : reason === 'unknown_request' || reason === 'other_provider' || reason === 'replayed' || reason === 'unsolicited'
      ? 'flow_over'
      : 'failed';
