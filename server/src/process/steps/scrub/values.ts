/** What cannot be a secret, whatever its name says. */

const nothing =
  /^(?:null|undefined|none|nil|nan|true|false|\*+|x{4,}|\[(?:filtered|redacted|masked|hidden|removed)\])$/i;
/** How languages write an object that has no text: where it lies, or what it is. */
const object =
  /^(?:<(?:class |module |function |bound method |built-in (?:function|method) |async_generator |generator object |coroutine object )?['"]?[\w.<>]+['"]?(?: object)?(?: of [\w.<> ]{1,200})?(?: at 0x[\da-f]{4,16})?(?: from '[^']{1,300}')?>?>|<Mock [^>]{1,200}>|\[(?:object|Function|AsyncFunction|class|Getter|Setter|Symbol)[^\]]{0,100}\]|\[(?:Object|Array|Function|Circular)[^\]]{0,20}\]|(?:[a-z]\w*\.){2,}[A-Z]\w*@[\da-f]{1,8}|0x[\da-f]{6,16}|#<[A-Z][\w:]*(?::0x[\da-f]{6,16})?>)$/;
const path = /^(?:\/|[A-Za-z]:[\\/])/;

/** Of a text by itself that a sensitive key holds. */
export function isHarmlessText(name: string, text: string): boolean {
  if (text.length > 600) return false;
  if (text === '' || nothing.test(text)) return true;
  const first = text.charCodeAt(0);
  if ((first === 60 || first === 91 || first === 48 || first === 35 || text.includes('@')) && object.test(text)) {
    // `<Token: abc>` says what it holds; `<a.b.Token object at 0x…>` does not.
    return first !== 60 || / at 0x|^<(?:class|module|function|built-in|bound) |^<[\w.]+\.[\w.]+ object/.test(text);
  }
  return isWorkingDirectory(name, text);
}

/** `PWD` is where the program was started. */
const isWorkingDirectory = (name: string, text: string): boolean => /^(?:OLD)?PWD$/.test(name) && path.test(text);

/** Of anything else: `tokens: 1523` is a count, `pass: 12` one of tests, `pin: {…}` lies on a map. */
export function isHarmlessData(name: string, value: unknown): boolean {
  if (typeof value === 'number') return value < 1e4 && /(?:^pass|tokens)$/i.test(name);
  return typeof value === 'object' && /^(?:pin|pass)$/i.test(name);
}

/** What is said of a secret in its place: `token: expired`, `password: string`, `secret = await …`. */
const states = new Set(
  (
    'null undefined none nil true false yes no on off ok okay done passed failed fail fails failure success succeeded ' +
    'error denied allowed granted forbidden refused rejected accepted valid invalid missing required optional empty blank ' +
    'present absent unset not is isn was wasn are were be been has have had must should shall can cannot could would will ' +
    'may might does did expired expires expiring expected unexpected unknown unsupported malformed incorrect wrong bad ' +
    'mismatch mismatched revoked disabled enabled changed updated sent received found lost too the a an this that for ' +
    'from to in at of by with without and or but if when while until please enter provide check see use using try retry ' +
    'attempt attempts unauthorized unauthenticated authenticated loading pending redacted filtered masked hidden removed ' +
    'omitted default string str number int integer boolean bool object array bytes text any type typeof await new async ' +
    'function return const let var import lambda'
  ).split(' '),
);
const placeholder = /^(?:%(?:[sdrvqx@]|\(\w+\)s)|\$(?:\{.*|\d+|[A-Z_]+)|\$?\{.*|:\w+|@\w+|#\{.*)$/;
const member =
  /^(?:process\.env|os\.environ|import\.meta|Deno\.env|req|request|this|self|props|params|ctx|context|config|settings|env|ENV|args|opts|options|form|input|data|body|user|credentials)(?:[.[]['"]?[A-Za-z_]\w*['"]?\]?)+$/;
const call = /^[A-Za-z_$][\w$.]{0,60}\([\w$., ]*$/;
const position = /^\d+(?::\d+)*$/;
const fileName = /\.[a-z]{1,5}\d?$/i;
const spoken = /^[A-Z]?[a-z]{1,24}$/;
/** Names that errors speak of, too; a word after them may be one of a sentence. */
const spokenNames = /(?:tokens?|auth|authorization|authentication|pass|pin|otp|jwt|bearer|csrf|xsrf)$/i;
const numeric = /(?:pin|otp|cvv2?|cvc2?|code|factor)$/i;

/** A value within a text, and its name. */
interface Place {
  readonly text: string;
  readonly name: { readonly text: string; readonly start: number };
  readonly range: { readonly start: number; readonly end: number; readonly quoted: boolean };
  /** Whether the mark is a colon, as sentences have it. */
  readonly colon: boolean;
}

/** Whether what stands in a text after a sensitive name is a word about it, a placeholder or code, and no secret. */
export function isStandIn(value: string, place: Place): boolean {
  if (value.length > 200) return false;
  const name = place.name.text;
  const { quoted } = place.range;
  if (states.has(value.toLowerCase()) || !/[A-Za-z\d]/.test(value)) return true;
  if (quoted && value.includes(' ')) return isSentence(name, value);
  if (/^[^A-Za-z1-9]|@/.test(value) && (placeholder.test(value) || isHarmlessText(name, value))) return true;
  if (/[.!?:…]$/.test(value) && states.has(value.toLowerCase().replace(/[.!?:…]+$/, ''))) return true;
  if (!quoted && isReference(value, place)) return true;
  return spokenNames.test(name) && isSpokenOf(value, place);
}

/** `must be at least 8 characters`, but not a passphrase. */
function isSentence(name: string, value: string): boolean {
  if (
    /\b(?:must|should|cannot|can't|is|isn't|are|was|required|invalid|expired|missing|failed|please|not|incorrect|wrong)\b/i.test(
      value,
    )
  )
    return true;
  return spokenNames.test(name) && /^\p{L}+(?:[ ,]+\p{L}+){2,}[.!?]?$/u.test(value);
}

/** Where a value comes from, instead of the value. */
function isReference(value: string, { text, name, range, colon }: Place): boolean {
  // `auth.js:12:5`
  if (colon && position.test(value) && (value.includes(':') || fileName.test(name.text))) return true;
  return member.test(value) || (text[range.end] === ')' && call.test(value));
}

function isSpokenOf(value: string, { text, name, range, colon }: Place): boolean {
  if (/^\d{1,5}$/.test(value)) return !numeric.test(name.text) && (colon || value.length < 4);
  if (!colon || !isSpoken(value.replace(/[.!?:…]+$/, ''))) return false;
  const before = text.slice(Math.max(0, name.start - 12), name.start);
  return isParser.test(before) || (!range.quoted && / [\p{L}(<"']/u.test(text.slice(range.end, range.end + 2)));
}

/** Whether it can be said aloud; what is random nearly never can. */
const isSpoken = (text: string): boolean =>
  spoken.test(text) && /[aeiouy]/i.test(text) && !/[^aeiouy]{5}/i.test(text) && !/[jqxz]{2}|q[^u]/i.test(text);

/** `Unexpected token: name` is said of source code. */
const isParser = /\b(?:unexpected|invalid|illegal|unknown|expected|bad|missing) $/i;
