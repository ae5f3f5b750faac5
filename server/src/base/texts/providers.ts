/** What a test of a sign-in provider finds. */
export const providerTexts = {
  works: 'The provider responds, and knows the client ID and secret.',
  worksUnproven: 'The provider responds. The client ID and secret are checked at the first sign-in.',
  client: 'The provider responds, but does not accept the client ID or secret.',
  redirect: (url: string) => `The provider does not accept the redirect URL ${url}. Add it there.`,
  unreachable: (why: string) => `The provider cannot be reached: ${why}.`,
  unexpectedStatus: (status: number) => `The provider responds with status ${status}. Check the address.`,
  notJson: 'The response of the provider is not JSON. Check the address.',
  otherIssuer:
    'The provider names another issuer than this address. Enter the issuer exactly as the provider writes it.',
  noCode: 'The provider does not offer the authorization code flow.',
  noKeys: 'The provider publishes no keys for its ID tokens.',
  weakKeys:
    'The provider signs ID tokens only in ways that are not accepted. Choose RS256, PS256, ES256 or EdDSA there.',
  noDomains: 'Add a domain. Without one, no one can sign in through this provider.',
  failed: (why: string) => `The provider responds with an error: ${why}.`,
} as const;

/** What is wrong with a provider that an administrator saves, after the name of its field. */
export const providerInputs = {
  address: 'must be an address such as https://sso.example.com',
  domain: 'must be domains such as example.com',
  publicDomain: 'must not be domains where anyone can have an address',
  id: 'must have 16 lower-case letters and digits',
  mapping: 'must give a role or a team',
  openid: 'must contain openid',
  ofSetting: (name: string, problem: string) => `${name} ${problem}`,
  enterAgain: (secret: string, changed: string) => `${secret} must be entered again, because ${changed} changed`,
  kind: (kind: string) => `the provider has kind ${kind}`,
  unresolved: (name: string) => `the name ${name} could not be resolved`,
} as const;

/** Why a sign-in or a call to a provider failed. */
export const providerFailures = {
  subject: 'the subject is not usable',
  method: (method: string) => `${method} is not used`,
  insecure: (host: string) => `${host} must be called by https://`,
  tooLarge: (kilobytes: number) => `the response has more than ${kilobytes} KB`,
} as const;

export const domainText = (domain: string, isVerified: boolean): string =>
  isVerified ? domain : `${domain} (not verified)`;
