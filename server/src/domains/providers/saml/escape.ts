const replacements: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For text and attributes of XML that we write. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (found) => replacements[found] ?? found);
