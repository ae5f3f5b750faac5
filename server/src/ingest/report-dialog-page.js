/*
 * Runs in the visitor's page, within a function that is given `options`: plain script, since pages of any age ask for
 * it. A <dialog> in a shadow root, so that neither side's styles reach the other; what the page says is set as text.
 */
var texts = options.texts;
var source = document.currentScript;
var address = new URL(source ? source.src : location.href);
address.search = options.query;

var css = [
  ':host { all: initial; }',
  'dialog { box-sizing: border-box; width: min(480px, calc(100vw - 24px)); max-height: calc(100vh - 24px); overflow: auto;',
  '  padding: 24px; border: 1px solid light-dark(#dfe3ea, #2a333f); border-radius: 6px; color-scheme: light dark;',
  '  background: light-dark(#fff, #0e1116); color: light-dark(#14171c, #e7eaef); font: 15px/22px system-ui, sans-serif; }',
  'dialog::backdrop { background: rgb(0 0 0 / 45%); }',
  'h2 { margin: 0 0 4px; font-size: 20px; line-height: 26px; }',
  'p { margin: 0 0 16px; color: light-dark(#4b5463, #a9b3c1); }',
  'label { display: block; margin-bottom: 12px; font-weight: 600; }',
  'input, textarea { display: block; box-sizing: border-box; width: 100%; margin-top: 4px; padding: 8px 10px;',
  '  border: 1px solid light-dark(#7d8797, #6b7686); border-radius: 4px; background: transparent; color: inherit; font: inherit; font-weight: 400; }',
  'textarea { min-height: 104px; resize: vertical; }',
  ':is(input, textarea, button):focus-visible { outline: 2px solid light-dark(#1f56c3, #86b3ff); outline-offset: 1px; }',
  '.problem { color: light-dark(#b42318, #ff8b7e); font-weight: 600; }',
  '.problem:empty { display: none; }',
  'footer { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; }',
  'button { min-height: 40px; padding: 0 16px; border: 1px solid light-dark(#7d8797, #6b7686); border-radius: 4px;',
  '  background: transparent; color: inherit; font: inherit; cursor: pointer; }',
  'button.main { border-color: transparent; background: light-dark(#1f56c3, #86b3ff); color: light-dark(#fff, #0b1220); font-weight: 600; }',
].join('\n');

var host = document.createElement('div');
host.id = 'culprit-report-dialog';
var earlier = document.getElementById(host.id);
if (earlier) earlier.remove();
var root = host.attachShadow({ mode: 'open' });
// A sheet made by script passes content policies that refuse style elements.
var sheet = new CSSStyleSheet();
sheet.replaceSync(css);
root.adoptedStyleSheets = [sheet];

function make(name, properties, children) {
  var element = document.createElement(name);
  Object.assign(element, properties);
  (children || []).forEach(function (child) {
    element.append(child);
  });
  return element;
}

function field(name, label, properties, kind) {
  var input = make(kind || 'input', Object.assign({ name: name }, properties));
  return { input: input, label: make('label', {}, [label, input]) };
}

var title = make('h2', { id: 'title', textContent: texts.title });
var name = field('name', texts.labelName, { maxLength: 128, value: options.name, autocomplete: 'name' });
var email = field('email', texts.labelEmail, {
  type: 'email',
  maxLength: 254,
  value: options.email,
  autocomplete: 'email',
});
var comments = field('comments', texts.labelComments, { required: true, maxLength: 4096 }, 'textarea');
var problem = make('p', { className: 'problem' });
problem.setAttribute('role', 'alert');
var close = make('button', { type: 'button', textContent: texts.labelClose });
var send = make('button', { type: 'submit', className: 'main', textContent: texts.labelSubmit });
var form = make('form', { noValidate: true }, [
  name.label,
  email.label,
  comments.label,
  problem,
  make('footer', {}, [close, send]),
]);
var intro = make('p', { textContent: texts.subtitle + ' ' + texts.subtitle2 });
var dialog = make('dialog', {}, [title, intro, form]);
dialog.setAttribute('aria-labelledby', 'title');

close.addEventListener('click', function () {
  dialog.close();
});
dialog.addEventListener('close', function () {
  host.remove();
  // What `onClose` of the SDKs waits for.
  window.postMessage('__sentry_reportdialog_closed__', location.origin === 'null' ? '*' : location.origin);
});
form.addEventListener('submit', function (event) {
  event.preventDefault();
  if (!form.checkValidity()) {
    problem.textContent = texts.errorFormEntry;
    var wrong = form.querySelector(':invalid');
    if (wrong) wrong.focus();
    return;
  }
  send.disabled = true;
  problem.textContent = '';
  var body = new URLSearchParams({
    name: name.input.value,
    email: email.input.value,
    comments: comments.input.value,
  });
  post(body);
});

async function post(body) {
  try {
    var answer = await fetch(address, { method: 'POST', body: body, credentials: 'omit' });
    if (answer.ok) sent();
    else failed(answer.status === 400 ? texts.errorFormEntry : texts.errorGeneric);
  } catch {
    failed(texts.errorGeneric);
  }
}

function failed(text) {
  send.disabled = false;
  problem.textContent = text;
}

function sent() {
  close.className = 'main';
  var thanks = make('p', { textContent: texts.successMessage });
  thanks.setAttribute('role', 'status');
  dialog.replaceChildren(title, thanks, make('footer', {}, [close]));
  close.focus();
}

root.append(dialog);
document.body.append(host);
dialog.showModal();
comments.input.focus();
