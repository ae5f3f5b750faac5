/** What a test of a sign-in provider finds. */
export const providerTexts = {
  works: 'The provider responds, and knows the client ID and secret.',
  worksUnproven: 'The provider responds. The client ID and secret show when somebody signs in.',
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
  noDomains: 'Add a domain. Without one, nobody can sign in through this provider.',
  failed: (why: string) => `The provider responds with an error: ${why}.`,
} as const;
