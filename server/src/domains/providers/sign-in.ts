/** A sign-in through a provider, from its first redirect to somebody who may have a session. */
import { CodedError } from '../../base/errors.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { State } from '../../ports/state/state.ts';
import type { Audit, Source } from '../audit/index.ts';
import { providerInputs } from '../../base/texts/providers.ts';
import { type Admitted, admit } from './admit.ts';
import { type LookUpTexts, lookUpTexts as lookUpInDns } from './domains.ts';
import { type BegunFlow, beginFlow, endFlow, ownPath } from './flows.ts';
import { checkSettings, type Kind, type Settings } from './kinds.ts';
import type { OpenIdOptions } from './openid.ts';
import type { Protocols } from './protocols.ts';
import type { Received } from './saml/saml.ts';
import type { Probe, Protocol } from './protocol.ts';
import type { Provider } from './provider.ts';
import { findProvider } from './providers.ts';
import { SignInRefused } from './refused.ts';

export interface SignInOptions extends OpenIdOptions {
  readonly state: State;
  readonly box: TextBox;
  readonly audit: Audit;
  /** Public address, without a trailing slash. */
  readonly getUrl: () => string;
  /** In place of DNS, for tests. */
  readonly lookUpTexts?: LookUpTexts;
}

export interface Started {
  readonly url: URL;
  readonly flow: BegunFlow;
}

export interface Finished extends Admitted {
  readonly returnTo: string;
}

export interface SignIns {
  /** Opens and seals secrets of providers. */
  readonly box: TextBox;
  /** Reads records of domains. */
  readonly lookUpTexts: LookUpTexts;
  /** Throws `SignInRefused`. */
  start(providerId: string, returnTo: string | undefined): Promise<Started>;
  /** `browserOf` is what the cookie of that `state` says. Throws `SignInRefused`. */
  finish(answer: SignInAnswer): Promise<Finished>;
  /** Takes what a SAML provider posts: base64 as its form has it. Throws `SignInRefused`. */
  receive(providerId: string, samlResponse: string): Promise<Received>;
  /** Whether the provider answers, and knows us. What is left out is as the stored one has it. */
  probe(kind: Kind, settings: Settings, stored?: Provider): Promise<Probe>;
  /** The address that the provider has to know. */
  callbackOf(providerId: string): string;
}

export interface SignInAnswer {
  readonly providerId: string;
  /** Of the address that the browser came back to, with its question mark. */
  readonly search: string;
  readonly browserOf: (state: string) => string | undefined;
  readonly source: Source;
}

const longestAnswer = 8_000;

export function createSignIns({
  state,
  box,
  audit,
  getUrl,
  lookUpTexts = lookUpInDns,
  ...options
}: SignInOptions): SignIns {
  let protocols: Promise<Protocols> | undefined;
  const spoken = (): Promise<Protocols> =>
    (protocols ??= import('./protocols.ts').then(({ createProtocols }) => createProtocols({ state, box, ...options })));
  const protocolOf = async (kind: Kind): Promise<Protocol> => (await spoken())[kind];
  const callbackOf = (providerId: string): string => `${getUrl()}/api/auth/provider/${providerId}/callback`;

  const enabled = async (providerId: string): Promise<Provider> => {
    const provider = await findProvider({ db: state.db, box }, providerId);
    if (!provider?.enabled) throw new SignInRefused('provider_gone');
    return provider;
  };

  /** What is the provider's fault stays to be seen by who administers it. */
  const noting = async <T>(providerId: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignInRefused && error.isProblem) {
        await state.db
          .updateTable('sign_in_provider')
          .set({ problem: error.message, problem_at: Date.now() })
          .where('id', '=', providerId)
          .execute();
      }
      throw error;
    }
  };

  return {
    box,
    lookUpTexts,
    callbackOf,
    async start(providerId, returnTo) {
      const provider = await enabled(providerId);
      return noting(providerId, async () => {
        const now = Date.now();
        const flow = await beginFlow(
          { state, box },
          { providerId, returnTo: ownPath(returnTo) },
          now,
          async (stateText) => {
            const protocol = await protocolOf(provider.kind);
            const { url, kept } = await protocol.begin(provider, {
              callback: callbackOf(providerId),
              state: stateText,
            });
            return { kept, result: url };
          },
        );
        return { url: flow.result, flow };
      });
    },
    async finish({ providerId, search, browserOf, source }) {
      if (search.length > longestAnswer) throw new SignInRefused('flow_over');
      const states = new URLSearchParams(search).getAll('state');
      const [stateText] = states;
      if (stateText === undefined || states.length > 1) throw new SignInRefused('flow_over');
      const now = Date.now();
      const flow = await endFlow({ state, box }, { state: stateText, browser: browserOf(stateText), providerId }, now);
      if (!flow) throw new SignInRefused('flow_over');
      const provider = await enabled(providerId);
      return noting(providerId, async () => {
        const url = new URL(`${callbackOf(providerId)}${search}`);
        const answer = { url, state: stateText, kept: flow.kept };
        const asserted = await (await protocolOf(provider.kind)).finish(provider, answer);
        const admitted = await admit({ state, box, audit }, { providerId, asserted, source, now: Date.now() });
        return { ...admitted, returnTo: flow.returnTo };
      });
    },
    async receive(providerId, samlResponse) {
      const provider = await enabled(providerId);
      if (provider.kind !== 'saml') throw new SignInRefused('provider_gone');
      const { saml } = await spoken();
      return noting(providerId, () => saml.receive(provider, samlResponse, callbackOf(providerId)));
    },
    async probe(kind, settings, stored) {
      if (stored && stored.kind !== kind) throw new CodedError('INPUT_INVALID', [providerInputs.kind(stored.kind)]);
      const checked = checkSettings(kind, settings, stored?.settings);
      const callback = callbackOf(stored?.id ?? 'new');
      return (await protocolOf(kind)).probe({ kind, settings: checked }, callback);
    },
  };
}
