/** What the page of a server may carry in itself, and the hashes by which a content security policy allows exactly that. */

export const inlineStyle =
  ':root{color-scheme:light dark}' +
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;' +
  'background:Canvas;color:CanvasText}' +
  'main{box-sizing:border-box;max-width:40rem;padding:2rem 1.5rem;overflow-wrap:anywhere}' +
  'h1{margin:0 0 1rem;font-size:1.125rem;font-weight:600}' +
  'p{margin:0 0 1rem}' +
  'code{font-family:ui-monospace,monospace}' +
  'a,button{font:inherit;margin:0 1rem 0 0;padding:.25rem 0}';

/** Copies what a person would be asked for; where the clipboard is denied, the text is selected instead. */
export const inlineScript =
  "(function(d){var m=d.querySelector('main'),b=d.createElement('button'),a=m.querySelector('a');" +
  "b.type='button';b.textContent='Copy';" +
  'b.onclick=function(){var t=[].map.call(m.querySelectorAll("h1,div p,code"),function(e){' +
  "return(e.tagName==='CODE'?'Event ID: ':'')+e.textContent})" +
  ".concat('URL: '+location.href,'Time: '+new Date(performance.timeOrigin).toISOString()).join('\\n');" +
  "function s(){getSelection().selectAllChildren(m);b.textContent='Selected'}" +
  "try{navigator.clipboard.writeText(t).then(function(){b.textContent='Copied'},s)}catch(e){s()}};" +
  'a.parentNode.insertBefore(b,a.nextSibling)})(document)';

/** Sources for the content security policy of an answer that carries `loadFailureHtml({ inline: true })`, beside others or alone. */
export const loadFailureCsp: {
  readonly styleSrc: string;
  readonly scriptSrc: string;
  readonly imgSrc: string;
} = {
  styleSrc: "'sha256-pNbB7YVoHMeyqPbI/oEk7llqh0ecDG2e+30fR3b4I7g='",
  scriptSrc: "'sha256-3X+xD8ypRe7cQa47/nKTpPiyipRC3l+Gk1TWw7R8e+Y='",
  imgSrc: 'data:',
};
