/** Of every answer of an installation whose address has https: browsers come by nothing else for a year. */
export const transportHeaders = (url: string): Readonly<Record<string, string>> =>
  url.startsWith('https://') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {};
