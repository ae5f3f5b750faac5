import hljs from 'highlight.js/lib/core';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';

for (const [name, language] of Object.entries({ json, python, sql })) hljs.registerLanguage(name, language);
