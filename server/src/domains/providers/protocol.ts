/** What a kind of provider can do; each in a file of its own. */
import type { Asserted } from './admit.ts';
import type { Provider } from './provider.ts';

export interface Begun {
  /** Where the browser is sent. */
  readonly url: URL;
  /** What has to be known again when it comes back. */
  readonly kept: Readonly<Record<string, string>>;
}

export interface Return {
  /** With its query, as the browser came back. */
  readonly url: URL;
  readonly state: string;
  readonly kept: Readonly<Record<string, string>>;
}

export interface Probe {
  readonly ok: boolean;
  /** What was found, or what is wrong, in words. */
  readonly detail: string;
}

/** All of them throw `SignInRefused`, but for `probe`. */
export interface Protocol {
  begin(provider: Provider, to: { readonly callback: string; readonly state: string }): Promise<Begun>;
  finish(provider: Provider, answer: Return): Promise<Asserted>;
  /** Asks the provider without anybody signing in. */
  probe(provider: Pick<Provider, 'kind' | 'settings'>, callback: string): Promise<Probe>;
}
