// Slipway dashboard: progressive enhancement only. Every page reads without it.
const $ = (s, r = document) => r.querySelector(s), $$ = (s, r = document) => [...r.querySelectorAll(s)];
const on = (type, selector, fn) => document.addEventListener(type, e => {
  const el = e.target.closest?.(selector);
  if (el) fn(e, el);
});
const say = text => { $('#say').textContent = text; };

// Theme: at once here, kept by the server in a cookie.
on('submit', '[data-theme-form]', (e, form) => {
  e.preventDefault();
  const value = e.submitter.value, body = new URLSearchParams(new FormData(form));
  body.set('theme', value);
  document.documentElement.dataset.theme = value;
  $$('[data-theme-form] button').forEach(b => b.setAttribute('aria-pressed', b.value === value));
  fetch(form.action, { method: 'POST', body });
});

// Menus close by Escape and by a click elsewhere.
document.addEventListener('click', e => $$('details.menu[open]').forEach(m => m.contains(e.target) || (m.open = false)));
document.addEventListener('keydown', e => {
  const menu = e.key === 'Escape' && $('details.menu[open]');
  if (menu) { menu.open = false; $('summary', menu).focus(); }
});

// Dialogs: command and commandfor where the browser does not know them yet.
if (!('commandForElement' in HTMLButtonElement.prototype)) on('click', '[commandfor]', (e, b) => {
  const d = document.getElementById(b.getAttribute('commandfor'));
  b.getAttribute('command') === 'close' ? d.close() : d.showModal();
});
on('click', 'dialog', (e, d) => {
  if (e.target !== d) return;
  const r = d.getBoundingClientRect();
  if (e.clientX < r.left || e.clientX > r.right || e.clientY < r.top || e.clientY > r.bottom) d.close();
});
// What takes its time says so, and is not asked for twice.
document.addEventListener('submit', e => {
  const b = e.submitter;
  if (!b?.dataset.busy) return;
  if (b.ariaBusy) return e.preventDefault();
  b.ariaBusy = 'true'; b.textContent = b.dataset.busy; say(b.dataset.busy);
});
addEventListener('pageshow', e => e.persisted && $$('[data-busy][aria-busy]').length && location.reload());
const match = i => { $('.primary', i.form).disabled = i.value !== i.dataset.match; };
on('input', '[data-match]', (e, i) => match(i));

on('click', '[data-copy]', async (e, b) => {
  const source = b.dataset.copy, text = source.startsWith('#') ? $(source).value ?? $(source).textContent : source;
  try { await navigator.clipboard.writeText(text); } catch {
    const t = document.createElement('textarea');
    (b.closest('dialog') ?? document.body).append(t);
    t.value = text; t.select(); document.execCommand('copy'); t.remove(); b.focus();
  }
  say('Copied.');
  const use = $('use', b), was = use.getAttribute('href');
  if (was.endsWith('#check')) return;
  use.setAttribute('href', was.replace(/#.*/, '#check'));
  setTimeout(() => use.setAttribute('href', was), 1500);
});
on('click', '[data-dismiss]', (e, b) => b.closest('[data-flash]').remove());
on('change', '[data-autosubmit]', (e, i) => i.form.requestSubmit());

// Times: the same rule as on the server.
const ago = s => {
  const a = Math.abs(s), r = (n, u) => `${Math.max(1, Math.round(n))} ${u}`;
  if (a < 45) return s < 0 ? 'in a moment' : 'just now';
  const w = a < 2700 ? r(a / 60, 'min') : a < 79200 ? r(a / 3600, 'h') : a < 2592000 ? r(a / 86400, 'd') : '';
  return w && (s < 0 ? `in ${w}` : `${w} ago`);
};
const tick = () => {
  $$('time[data-rel]').forEach(t => { t.textContent = ago((Date.now() - Date.parse(t.dateTime)) / 1000) || t.textContent; });
};
const count = () => $$('[data-since]').forEach(t => {
  const s = Math.max(0, Math.floor((Date.now() - Date.parse(t.dataset.since)) / 1000));
  t.textContent = s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`;
});
setInterval(tick, 30000); setInterval(count, 1000);

// Log viewer.
const log = v => {
  const box = $('.log', v), list = $('ol', box), find = $('[data-find]', v), out = $('output', v), follow = $('[data-follow]', v);
  let hits = [], at = -1;
  const press = (b, yes) => b?.setAttribute('aria-pressed', yes);
  const pressed = b => b?.getAttribute('aria-pressed') === 'true';
  const down = () => { box.scrollTop = box.scrollHeight; };
  const go = li => { press(follow, false); $$('.cur', list).forEach(l => l.classList.remove('cur')); li.classList.add('cur'); li.scrollIntoView({ block: 'center' }); };
  const search = () => {
    const q = find.value.toLowerCase(), ranges = [];
    hits = [];
    if (q) for (const li of list.children) {
      const text = $('.m', li)?.textContent.toLowerCase() ?? '';
      if (!text.includes(q)) continue;
      hits.push(li);
      const walk = document.createTreeWalker($('.m', li), NodeFilter.SHOW_TEXT);
      for (let n; (n = walk.nextNode());) for (let i = -1; (i = n.data.toLowerCase().indexOf(q, i + 1)) >= 0;) {
        const r = new Range(); r.setStart(n, i); r.setEnd(n, i + q.length); ranges.push(r);
      }
    }
    window.Highlight && CSS.highlights.set('find', new Highlight(...ranges));
    show();
  };
  const show = () => { out.textContent = find.value ? (hits.length ? `${at < 0 ? '' : `${at + 1} of `}${hits.length} ${hits.length === 1 ? 'line' : 'lines'}` : 'No line') : ''; };
  const move = by => {
    if (!hits.length) return;
    at = (at + by + hits.length + (at < 0 && by < 0 ? 1 : 0)) % hits.length;
    go(hits[at]); show();
  };
  find?.addEventListener('input', () => { at = -1; search(); });
  find?.addEventListener('keydown', e => { if (e.key === 'Enter') { e.preventDefault(); move(e.shiftKey ? -1 : 1); } });
  v.addEventListener('click', e => {
    const b = e.target.closest('button');
    if (!b) return;
    if ('next' in b.dataset) move(1);
    if ('prev' in b.dataset) move(-1);
    if ('wrap' in b.dataset) press(b, box.classList.toggle('wrap'));
    if ('error' in b.dataset) { const l = $('.error', list); l ? go(l) : say('No error in the log.'); }
    if (b === follow) { press(b, !pressed(b)); pressed(b) && down(); }
  });
  box.addEventListener('wheel', e => e.deltaY < 0 && press(follow, false), { passive: true });
  box.addEventListener('keydown', e => ['ArrowUp', 'PageUp', 'Home'].includes(e.key) && press(follow, false));
  box.addEventListener('scroll', () => follow && box.scrollHeight - box.scrollTop - box.clientHeight < 4 && v.dataset.stream && press(follow, true));
  const bad = new RegExp(v.dataset.bad, 'i'), warn = new RegExp(v.dataset.warn, 'i');
  const tone = e => e.level !== 'info' ? e.level : e.message.startsWith('$ ') ? 'cmd' : bad.test(e.message) ? 'error' : warn.test(e.message) ? 'warning' : '';
  const bit = (tag, name, text) => { const el = document.createElement(tag); el.className = name; el.textContent = text; return el; };
  // As the server makes it; what a program printed is never more than text.
  const line = (n, e) => {
    const li = document.createElement('li'), a = bit('a', 'n', n), t = document.createElement('time');
    li.id = 'L' + n; li.className = tone(e);
    a.href = '#L' + n; a.tabIndex = -1;
    t.dateTime = e.timestamp; t.textContent = e.timestamp.slice(11, 19);
    li.append(a, t);
    if (e.instance) li.append(bit('span', 'inst', e.instance));
    li.append(bit('span', 'm', e.message));
    return li;
  };
  const add = lines => {
    list.append(...lines);
    while (list.children.length > 5000) list.firstElementChild.remove();
    if ($('.error', list)) $('[data-error]', v)?.removeAttribute('hidden');
    pressed(follow) && down();
    find?.value && search();
  };
  if (v.dataset.stream) {
    const es = new EventSource(v.dataset.stream);
    let next = [], anew = 'anew' in v.dataset, n = 0;
    const put = () => { if (anew) list.replaceChildren(); anew = false; add(next); next = []; };
    es.addEventListener('log', e => {
      n = /^\d+$/.test(e.lastEventId) ? e.lastEventId : n + 1;
      next.push(line(n, JSON.parse(e.data))) === 1 && setTimeout(put, 60);
    });
    es.addEventListener('end', () => { es.close(); setTimeout(() => follow?.remove(), 60); delete v.dataset.stream; });
    es.addEventListener('error', () => es.readyState === EventSource.CLOSED && say('The log is not followed any more. Load the page again.'));
  }
  // Earlier lines come from the page that has them, and are put before those that are there.
  on('click', '[data-earlier]', async (e, a) => {
    if (!v.contains(a) || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    if (a.ariaBusy) return;
    a.ariaBusy = 'true';
    try {
      const page = new DOMParser().parseFromString(await (await fetch(a.href)).text(), 'text/html');
      const more = $$('[data-log] li', page).filter(li => !document.getElementById(li.id)), link = $('[data-earlier]', page), height = box.scrollHeight;
      press(follow, false);
      list.prepend(...more);
      box.scrollTop += box.scrollHeight - height;
      if ($('.error', list)) $('[data-error]', v)?.removeAttribute('hidden');
      say(`${more.length} earlier lines.`);
      link ? a.href = link.getAttribute('href') : a.remove();
      a.ariaBusy = null;
    } catch { location.assign(a.href); }
  });
  if (pressed(follow) && !location.hash.startsWith('#L')) down();
};

// Variables: rows are made from a template; a pasted .env fills them.
const parse = text => {
  const found = [], re = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"((?:\\[^]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\n]*?))[ \t]*(?:[ \t]#[^\n]*)?$/gm;
  for (const [, name, dq, sq, bq, plain] of text.replace(/\r\n?/g, '\n').matchAll(re))
    found.push([name, dq?.replace(/\\([^])/g, (_, c) => ({ n: '\n', r: '\r', t: '\t' })[c] ?? c) ?? sq ?? bq ?? plain.replace(/^#.*| #.*/, '')]);
  return found;
};
const addRow = (v, name = '', value = '') => {
  const body = $('[data-rows]', v), same = name && $$('[name=env_name]', body).find(i => i.value === name);
  let row = same && same.closest('tr');
  if (!row) {
    row = $('template', v).content.firstElementChild.cloneNode(true);
    const n = v.rows = (v.rows ?? 0) + 1;
    $$('[id]', row).forEach(i => { $(`[for="${i.id}"]`, row)?.setAttribute('for', i.id + n); i.id += n; });
    body.append(row);
  }
  const i = $('[name=env_value]', row);
  $('[name=env_name]', row).value = name; i.value = value;
  return row;
};
on('click', '[data-row-add]', (e, b) => $('input', addRow(b.closest('[data-vars]'))).focus());
on('click', '[data-row-remove]', (e, b) => { const v = b.closest('[data-vars]'); b.closest('tr').remove(); $('[data-row-add]', v).focus(); });
on('click', '[data-env-take]', (e, b) => {
  const v = b.closest('[data-vars]'), area = $('[data-env]', v), rows = parse(area.value);
  $$('[data-rows] tr', v).forEach(r => $$('input, textarea', r).every(i => !i.value) && r.remove());
  rows.forEach(([n, x]) => addRow(v, n, x));
  if (rows.length) area.value = '';
  say(rows.length ? `${rows.length} variables taken over.` : 'No variable found. Write one NAME=value per line.');
  $('[data-env-said]', v).textContent = $('#say').textContent;
});

// Zip: sent as it is with its progress; the form then has its upload_id.
const drop = z => {
  const input = $('input[type=file]', z), text = $('[data-drop-said]', z), bar = $('progress', z);
  for (const t of ['dragenter', 'dragover']) z.addEventListener(t, e => { e.preventDefault(); z.classList.add('over'); });
  for (const t of ['dragleave', 'drop']) z.addEventListener(t, () => z.classList.remove('over'));
  z.addEventListener('drop', e => { e.preventDefault(); input.files = e.dataTransfer.files; input.dispatchEvent(new Event('change')); });
  input.addEventListener('change', () => {
    const f = input.files[0];
    if (!f) return;
    if (!/\.zip$/i.test(f.name)) { text.textContent = `${f.name} is not a zip. Pack the folder as a zip and try again.`; return; }
    const x = new XMLHttpRequest(), mb = (f.size / 1e6).toFixed(1) + ' MB';
    x.open('POST', z.dataset.drop);
    x.setRequestHeader('Content-Type', 'application/zip');
    x.setRequestHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(f.name).replace(/['()*]/g, c => '%' + c.charCodeAt(0).toString(16))}`);
    x.setRequestHeader('X-CSRF-Token', $('[name=csrf]', input.form).value);
    bar.hidden = false;
    x.upload.onprogress = e => { bar.max = e.total; bar.value = e.loaded; };
    x.onloadend = () => {
      const good = x.status === 201;
      bar.hidden = true;
      let answer = {};
      try { answer = JSON.parse(x.responseText); } catch { /* no answer of the server's */ }
      if (good) { $('[name=upload_id]', input.form).value = answer.data.id; $('[name=upload_name]', input.form).value = f.name; input.value = ''; }
      text.textContent = good ? `${f.name}, ${mb}: uploaded.` : answer.error?.message ?? `${f.name} was not uploaded. Try again.`;
      say(text.textContent);
    };
    text.textContent = `${f.name}, ${mb}: uploading …`;
    x.send(f);
  });
};

// Plots: one crosshair over all plots of a table.
const plots = area => {
  const rows = $$('tbody tr', area).map(r => [...r.cells].map(c => c.textContent)), all = $$('[data-cols]', area);
  const names = $$('thead th', area).map(h => h.textContent);
  let at = -1;
  const show = i => {
    at = i;
    for (const p of all) {
      const svg = $('svg', p), w = svg.viewBox.baseVal.width, x = i / (rows.length - 1) * w, line = $('.cross', svg);
      line.toggleAttribute('hidden', i < 0);
      $('.at', p).textContent = i < 0 ? '' : `${rows[i][0]}: ${p.dataset.cols.split(' ').map((c, k, l) => (l.length > 1 ? names[c] + ' ' : '') + rows[i][c]).join(', ')}`;
      if (i >= 0) { line.setAttribute('x1', x); line.setAttribute('x2', x); }
    }
  };
  for (const p of all) {
    const svg = $('svg', p);
    svg.addEventListener('pointermove', e => { const r = svg.getBoundingClientRect(); show(Math.max(0, Math.min(rows.length - 1, Math.round((e.clientX - r.left) / r.width * (rows.length - 1))))); });
    svg.addEventListener('pointerleave', () => show(-1));
  }
};

const start = root => {
  const once = (selector, begin) => $$(selector, root).forEach(el => { if (!el.begun) { el.begun = true; begin(el); } });
  once('[data-log]', log); once('[data-drop]', drop); once('[data-plots]', plots);
  $$('[data-match]', root).forEach(match);
  $$('.tabs, .subnav', root).forEach(t => { const c = $('[aria-current]', t); if (c) t.scrollLeft = c.offsetLeft - t.offsetLeft - (t.clientWidth - c.clientWidth) / 2; });
  tick(); count();
};
start(document);
document.addEventListener('htmx:load', e => e.target !== document.body && start(e.target.parentNode ?? document));
