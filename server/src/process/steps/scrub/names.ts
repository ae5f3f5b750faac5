/**
 * Names of what is secret: the one list for keys of data, names in texts, parameters and headers. A name is read as
 * words (`accessKeyId`, `ACCESS_KEY_ID` and `access-key-id` are the same), so that letters within another word mean
 * nothing: `author`, `tokenizer`, `compass` and `mapping` are no secrets.
 */

/** Anywhere in a name, since names are glued together freely: `dbpassword`, `stripetoken`, `x-auth-thing`. */
const parts = [
  'pass_?w(?:or)?d(?!_?less)',
  'pass_?phrase',
  'pass_?code',
  'secret(?!ar|ion)',
  'credential',
  // That of an assembly is public.
  '(?<!public_?key_?)token(?!i[sz])',
  '(?<!un_?)auth(?!or(?!i[sz])|enticate(?!d))',
  '(?:api|private|priv|access|account|signing|encryption|master|shared|session|ssh|deploy)_?key(?!board|frame|press|down|up)',
  'conn(?:ection)?_?str(?:ing)?(?![a-z])',
  'mysql_?pwd',
  'bearer',
];
/** Whole words of a name: too short, or too ordinary, to mean anything within another. */
const words = ['pwd', 'jwt', 'otp', 'totp', 'cvv2?', 'cvc2?', 'pin_?(?:code|number)', 'xsrf', 'csrf'];
/** Whole names. */
const names = [
  'pin',
  'pass',
  '(?:user|card|sim|bank|account|security|login|debit|credit|my|new|old)_pin',
  '(?:user|db|database|mysql|pg|postgres|redis|mongo|smtp|imap|mail|email|ftp|ssh|ldap|proxy|http|admin|root|login|key|keystore|my|old|new)_?pass',
  'two_?factor(?:_?code)?',
  '(?:.*_)?(?:j|php|asp_net_)?_?sess(?:ion)?_?id',
  '(?:.*_)?set_cookie2?',
];

/** Sessions by their cookie's name, unmistakable wherever they stand. */
const sessions =
  /^(?:connect\.sid|jsessionid(?:sso)?|phpsessid|laravel_session|remember_web_\w+|asp\.net_sessionid|aspsessionid\w*|\.aspxauth|\.aspnetcore\.[\w.-]+|__(?:host|secure)-.+|wordpress_(?:logged_in|sec)_\w+)$/i;

/** What is said about a secret is none: how many, of which kind, how long, where to get one. */
const about =
  /_(?:counts?|types?|len(?:gth)?|limits?|usage|used|expir(?:y|es?|ed|ation)(?:_(?:in|at|on))?|ttl|lifetime|ur[il]|endpoint|methods?|providers?|polic(?:y|ies)|status|enabled|disabled|required|strength|attempts?|errors?|failures?|version|algorithm|alg|format|mode|scheme|strategy|(?:min|max)_length|(?:updated|changed|created|issued|used)_at|time|date|timestamp|position|index|offset|kind|per_.*|bucket|budget|services?|svc|servers?|hosts?|domain|api|gateway|module|middleware|handler|manager|controller|guard|router|routes?|page|screen|view|component)$/;
const counted =
  /(?:^|_)(?:max|min|num|n|total|prompt|completion|input|output|cached?|reasoning|remaining|used|billed|audio|text|thinking|accepted|rejected)_(?:new_)?tokens?(?:_.*)?$/;

const secret = new RegExp(`${parts.join('|')}|(?:^|_)(?:${words.join('|')})(?:_|\\d*$)|^(?:${names.join('|')})$`);

/** `accessKeyId`, `ACCESS_KEY_ID`, `access-key-id` → `access_key_id`. */
function asWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
}

/** Whether what has this name is secret, wherever the name stands. */
export function isSecretName(name: string): boolean {
  if (sessions.test(name)) return true;
  const form = asWords(name.length > 1024 ? name.slice(0, 1024) : name);
  // OpenTelemetry's `session.id` counts visits; it opens nothing.
  return secret.test(form) && !about.test(form) && !counted.test(form) && !/(?:^|\.)session\.id$/.test(name);
}

const sessionCookies = new Set([
  'sentrysid',
  'sudo',
  'su',
  'symfony',
  'fasthttpsessionid',
  'mysession',
  'irissessionid',
  'fastcsrf',
  'cfid',
  'cftoken',
  'cf_clearance',
  'hsid',
  'ssid',
  'apisid',
  'sapisid',
]);
const sessionCookie =
  /(?:^|[._-])(?:s|sid|sess|session|sso|login|remember(?:[_-]?me)?|csrf|xsrf|jwt)(?:[._-]?(?:id|key|data|user|ss|v?\d+|[\da-f]{16,}))?$/i;

/** Whether a cookie of this name holds a session, or what is as good. */
export const isSessionCookie = (name: string): boolean =>
  sessionCookie.test(name) || sessionCookies.has(name.toLowerCase());

const signatures = /^(?:sig|signature|hmac|x-(?:amz|goog|ms)-(?:signature|credential|security-token)|awsaccesskeyid)$/i;

/** Names that say nothing but in the query of a URL. */
export const isParameterName = (name: string): boolean => /^(?:code|state|nonce)$/i.test(name) || signatures.test(name);

/** Whether such a parameter is secret: one of OAuth is long and random, `?code=404`, `?code=ENOENT`, `?state=open` are not. */
export function isSecretParameter(name: string, value: string): boolean {
  if (value.length > 200) return true;
  if (signatures.test(name)) return value.length > 3;
  if (/^code$/i.test(name)) return value.length > 5 && /\d|[a-z][A-Z]|^.{16}/.test(value);
  return value.length >= 16 && /\d/.test(value);
}

/** `Cookie`, in WSGI and Rack `HTTP_COOKIE`: holds cookies, each with a name of its own. */
export function isCookieHeader(name: string): boolean {
  const last = name.charCodeAt(name.length - 1) | 32;
  return (last === 101 || last === 115) && name.length <= 26 && cookieHeader.test(name);
}

const cookieHeader = /^(?:http[._](?:request\.header\.)?)?cookies?$/i;
