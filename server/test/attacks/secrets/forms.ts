/** Secrets in the forms in which they come. Each is unique, so that one that is found says where it was planted, and as what. */

/** Whose rules hold: of the project that scrubs, or of the one that does not. */
export type Side = 'on' | 'off';

export interface Planted {
  readonly side: Side;
  readonly place: string;
  readonly form: string;
}

/** A text around a secret. `mark` is letters and digits; `number` is below 10^7. */
type Form = (mark: string, number: number, side: Side) => string;

const worded =
  (name: string): Form =>
  (mark) =>
    `${name}=${mark}`;

export const forms = {
  password: worded('login failed: password'),
  json: (mark) => `{"password":"${mark}","a":1}`,
  'escaped json': (mark) => `{\\"password\\":\\"${mark}\\"}`,
  colon: (mark) => `api_key: ${mark}`,
  pwd: worded('pwd'),
  pass: worded('pass'),
  passphrase: worded('passphrase'),
  jwt: worded('jwt'),
  access_key: worded('access_key'),
  signing_key: worded('signing_key'),
  sessionId: worded('sessionId'),
  client_secret: worded('client_secret'),
  connectionString: (mark) => `connectionString=Server=db;Pwd=${mark};`,
  'url token': (mark) => `https://a.example/x?access_token=${mark}&b=1`,
  'url code': (mark) => `https://a.example/x?code=${mark}&b=1`,
  'url sig': (mark) => `https://a.example/x?sig=${mark}`,
  'url signature': (mark) => `https://a.example/x?X-Amz-Signature=${mark}`,
  'url password': (mark) => `postgres://shop:${mark}@db.example/shop`,
  bearer: (mark) => `Authorization: Bearer ${mark}00`,
  basic: (mark) => `Authorization: Basic dXNlcjp${mark}Zz09`,
  'connect.sid': (mark) => `Cookie: a=1; connect.sid=s%3A${mark}`,
  JSESSIONID: (mark) => `Cookie: JSESSIONID=${mark}`,
  laravel: (mark) => `Set-Cookie: laravel_session=${mark}; Path=/`,
  'asp.net': (mark) => `Cookie: ASP.NET_SessionId=${mark}`,
  'host cookie': (mark) => `Cookie: __Host-sid=${mark}`,
  remember_me: (mark) => `Cookie: remember_me=${mark}`,
  'any set-cookie': (mark) => `Set-Cookie: theme=${mark}; HttpOnly`,
  'web token': (mark) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${mark}aBcD0123456789xY`,
  aws: (mark) => `AKIA${mark.toUpperCase()}QRSTUV`.slice(0, 20),
  github: (mark) => `ghp_${mark}${'aB3dE6gH9j'.repeat(3)}`.slice(0, 40),
  stripe: (mark) => `sk_live_${mark}aB3dE6gH9jK1mN4`,
  slack: (mark) => `xoxb-123456789012-1234567890123-${mark}aB3dE6gH9jK1mN4`,
  google: (mark) => `AIza${mark}${'SyD3f5Gh7J'.repeat(3)}`.slice(0, 39),
  sendgrid: (mark) => `SG.${mark}aB3dE6gH9jK1m.${'aB3dE6gH9j'.repeat(5)}`.slice(0, 69),
  pem: (mark) => `-----BEGIN PRIVATE KEY-----\nMIIEvQ${mark}\n-----END PRIVATE KEY-----`,
  card: (_, number, side) =>
    `paid with ${withCheckDigit(`453977${side === 'on' ? 1 : 2}${String(number).padStart(8, '0')}`)} today`,
  ssn: (_, number, side) => `ssn is ${socialSecurity(number, side)} here`,
  iban: (_, number, side) => `to ${iban(`${side === 'on' ? 1 : 2}${String(number).padStart(17, '0')}`)} now`,
} as const satisfies Readonly<Record<string, Form>>;

export type FormName = keyof typeof forms;
export const formNames = Object.keys(forms) as FormName[];

/** What is secret where it stands under one of these names. */
export const secretNames = [
  'password',
  'pwd',
  'passphrase',
  'cvv',
  'pin',
  'jwt',
  'access_key',
  'connectionString',
  'sessionId',
];

/** By Luhn. */
function withCheckDigit(digits: string): string {
  let sum = 0;
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits + String((10 - (sum % 10)) % 10);
}

function socialSecurity(number: number, side: Side): string {
  const area = (side === 'on' ? 500 : 600) + (number % 60);
  const rest = Math.floor(number / 60);
  return `${area}-${10 + (rest % 89)}-${1000 + (Math.floor(rest / 89) % 9000)}`;
}

function iban(account: string): string {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

const found = /zq[ab][0-9a-z]{6}|(?<!\d)453977\d{10}(?!\d)|(?<![\d-])[56]\d\d-\d\d-\d{4}(?![\d-])|DE\d{2}[12]\d{17}/gi;

/** Hands out secrets, and knows them again in any text. */
export class Secrets {
  readonly #known = new Map<string, Planted>();
  #number = 0;

  get planted(): readonly Planted[] {
    return [...this.#known.values()];
  }

  text(planted: Planted & { readonly form: FormName }): string {
    const [mark, number] = this.#next(planted.side);
    const text = forms[planted.form](mark, number, planted.side);
    this.#note(text, planted);
    return text;
  }

  /** The secret alone, for a place whose name says what it is. */
  bare(planted: Planted): string {
    const [mark] = this.#next(planted.side);
    this.#note(mark, planted);
    return mark;
  }

  *in(text: string): Generator<Planted, void, void> {
    for (const [secret] of text.matchAll(found)) {
      const planted = this.#known.get(secret.toLowerCase());
      if (planted) yield planted;
    }
  }

  #next(side: Side): [mark: string, number: number] {
    const number = ++this.#number;
    // Letters and digits in any case: a number alone could be told from a secret.
    const digits = ((number * 7919) % 36 ** 5).toString(36).padStart(5, '0');
    return [`zq${side === 'on' ? 'a' : 'b'}7${digits}`, number];
  }

  #note(text: string, planted: Planted): void {
    const [secret] = text.match(found) ?? [];
    if (secret === undefined || this.#known.has(secret.toLowerCase())) throw new Error(`no secret of its own: ${text}`);
    this.#known.set(secret.toLowerCase(), planted);
  }
}
