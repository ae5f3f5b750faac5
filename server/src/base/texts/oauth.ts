/** What programs that ask people for access are told, and what is said of them. */

export const oauth = {
  nameless: 'Unnamed app',
  manyUris: (max: number) => `redirect_uris: at most ${max}`,
  redirectUri:
    'redirect_uris: write https addresses, http addresses of this machine (127.0.0.1, [::1], localhost), or a scheme of the app',
  usedTwice: 'used twice',
  refreshToken: 'refresh token',
  code: 'code',
  json: 'send a JSON object with redirect_uris',
  form: 'send the parameters as application/x-www-form-urlencoded',
  missing: (name: string) => `${name} is missing`,
  repeated: (name: string) => `${name} must not be repeated`,
  grantType: 'grant_type must be authorization_code, refresh_token or the device_code of RFC 8628',
} as const;
