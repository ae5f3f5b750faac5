/** Tokens that tell by their form what they are, each as its issuer documents it. */

interface Format {
  /** At least its first three characters, by which a word is looked at closer. */
  readonly starts: readonly string[];
  readonly form: string;
}

const formats: readonly Format[] = [
  // JSON Web Tokens; a single segment is a source map in a URL.
  { starts: ['eyJ'], form: String.raw`eyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*){1,3}` },
  { starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], form: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,124}(?![A-Za-z0-9])' },
  { starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], form: 'gh[pousr]_[A-Za-z0-9]{10,}' },
  { starts: ['github_pat_'], form: String.raw`github_pat_\w{10,}` },
  {
    starts: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'gloas-'],
    form: String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|oas)-[\w.-]{10,}`,
  },
  { starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], form: '[sr]k_(?:live|test)_[A-Za-z0-9]{8,}' },
  { starts: ['whsec_'], form: String.raw`whsec_[A-Za-z0-9+/_-]{8,}={0,2}` },
  { starts: ['xox', 'xapp-', 'xwfp-'], form: String.raw`(?:xox[a-z](?:\.xox[a-z])?|xapp|xwfp)-[\w-]{8,}` },
  { starts: ['AIza'], form: String.raw`AIza[\w-]{20,}` },
  { starts: ['ya29'], form: String.raw`ya29\.[\w-]{20,}` },
  { starts: ['GOCSPX-'], form: String.raw`GOCSPX-[\w-]{20,}` },
  { starts: ['SG.'], form: String.raw`SG\.[\w-]{10,}\.[\w-]{10,}` },
  { starts: ['npm_'], form: 'npm_[A-Za-z0-9]{30,}' },
  { starts: ['pypi-'], form: String.raw`pypi-(?:AgE[\w-]{10,}|[\w-]{40,})` },
  {
    starts: ['sk-'],
    form: String.raw`sk-(?:(?:ant|proj|or|svcacct|admin|lf)-[\w-]{10,}|(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,})`,
  },
  { starts: ['hf_'], form: 'hf_[A-Za-z0-9]{30,}' },
  { starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'], form: 'do[opr]_v1_[0-9a-f]{32,}' },
  { starts: ['shpat_', 'shpss_', 'shpca_', 'shppa_'], form: 'shp(?:at|ss|ca|pa)_[0-9A-Fa-f]{20,}' },
  { starts: ['sntrys_', 'sntryu_'], form: String.raw`sntry[su]_[\w+/=-]{20,}` },
  { starts: ['hvs.', 'hvb.'], form: String.raw`hv[sb]\.[\w-]{20,}` },
  { starts: ['sq0atp-', 'sq0csp-'], form: String.raw`sq0(?:atp|csp)-[\w-]{20,}` },
  { starts: ['lin_api_'], form: 'lin_api_[A-Za-z0-9]{20,}' },
  { starts: ['dapi'], form: 'dapi[0-9a-f]{32}' },
  { starts: ['AGE-SECRET-KEY-1'], form: 'AGE-SECRET-KEY-1[A-Z0-9]{30,}' },
];

/** A token begins a word; an escape of JSON or of a URL may stand before it. */
const beginning = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[bfnrt])|(?<=%[0-9A-Fa-f]{2}))`;

export const tokens = new RegExp(`${beginning}(?:${formats.map(({ form }) => form).join('|')})`, 'g');

/** Addresses that are their own password. */
export const webhooks =
  /\b(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)[\w/-]{8,}/g;

/** Three characters as a number. */
function pack(text: string, at: number): number {
  return (text.charCodeAt(at) << 14) | (text.charCodeAt(at + 1) << 7) | text.charCodeAt(at + 2);
}

const begins = new Set(formats.flatMap(({ starts }) => starts.map((start) => pack(start, 0))));

/** Whether a token may begin here. */
export const mayBeToken = (text: string, at: number): boolean => begins.has(pack(text, at));
