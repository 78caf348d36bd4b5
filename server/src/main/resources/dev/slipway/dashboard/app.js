// Progressive enhancement only: every page reads without it.
const d = document, root = d.documentElement;
const $ = (s, r = d) => r.querySelector(s), $$ = (s, r = d) => [...r.querySelectorAll(s)];
const listen = (el, types, fn, o) => types.split(' ').forEach(t => el.addEventListener(t, fn, o));
const on = (type, s, fn) => listen(d, type, e => {
	const el = e.target.closest?.(s);
	if (el) fn(el, e);
});
const seen = new WeakSet(), each = (s, fn) => $$(s).forEach(el => seen.has(el) || (seen.add(el), fn(el)));
const say = text => { $('#say').textContent = text; };

// Theme: at once here, kept by the server in a cookie.
on('submit', '[data-theme-form]', (form, e) => {
	e.preventDefault();
	const theme = e.submitter.value, body = new URLSearchParams(new FormData(form, e.submitter));
	root.dataset.theme = theme;
	$$('[data-theme-form] button').forEach(b => b.setAttribute('aria-pressed', b.value === theme));
	fetch(form.action, { method: 'POST', body });
});

// Menus close by Escape and by a click elsewhere.
listen(d, 'click', e => $$('.menu[open]').forEach(m => { m.open = m.contains(e.target); }));
listen(d, 'keydown', e => {
	const m = e.key === 'Escape' && $('.menu[open]');
	if (m) { m.open = false; $('summary', m).focus(); }
});

// Dialogs: command and commandfor where the browser does not know them yet.
if (!('command' in HTMLButtonElement.prototype)) on('click', '[commandfor]', b => {
	const x = d.getElementById(b.getAttribute('commandfor'));
	b.getAttribute('command') === 'close' ? x.close() : x.showModal();
});
const match = i => { $('.primary', i.form).disabled = i.value !== i.dataset.match; };
on('input', '[data-match]', match);

on('click', '[data-copy], [data-copy-of]', async b => {
	const of = d.getElementById(b.dataset.copyOf), text = of ? of.defaultValue ?? of.textContent : b.dataset.copy;
	try { await navigator.clipboard.writeText(text); } catch { // without HTTPS
		const t = d.createElement('textarea');
		b.after(t); t.value = text; t.select(); d.execCommand('copy'); t.remove(); b.focus();
	}
	say('Copied.');
	const use = $('use', b), to = n => use.setAttribute('href', use.getAttribute('href').replace(/#.*/, n));
	to('#check'); setTimeout(() => to('#copy'), 1500);
});
// What takes its time says so, and is not asked for twice.
listen(d, 'submit', e => {
	const b = e.submitter;
	if (!b?.dataset.busy) return;
	if (b.ariaBusy) return e.preventDefault();
	b.ariaBusy = 'true';
	b.textContent = b.dataset.busy;
	say(b.dataset.busy);
});
listen(window, 'pageshow', e => e.persisted && $('[data-busy][aria-busy]') && location.reload());

on('click', '[data-dismiss]', b => b.closest('[data-flash]').remove());
on('change', '[data-autosubmit]', i => i.form.requestSubmit());

// Times, by the rule of the server.
const ago = s => {
	const a = Math.abs(s), n = (by, unit) => Math.max(1, Math.round(a / by)) + unit;
	if (a < 45) return s < 0 ? 'in a moment' : 'just now';
	const w = a < 2700 ? n(60, ' min') : a < 79200 ? n(3600, ' h') : a < 2592000 ? n(86400, ' d') : '';
	return w && (s < 0 ? 'in ' + w : w + ' ago');
};
const since = t => (Date.now() - Date.parse(t)) / 1000;
const tick = () => $$('[data-rel]').forEach(t => { t.textContent = ago(since(t.dateTime)) || t.textContent; });
const count = () => $$('[data-since]').forEach(t => {
	const s = Math.max(0, Math.floor(since(t.dataset.since)));
	const two = n => String(n).padStart(2, 0), min = Math.floor(s / 60);
	t.textContent = min >= 60 ? `${Math.floor(min / 60)} h ${two(min % 60)} min` : min ? `${min} min ${two(s % 60)} s` : s + ' s';
});
setInterval(tick, 30000); setInterval(count, 1000);

// Log viewer.
const log = v => {
	const box = $('.log', v), list = $('ol', box), find = $('[data-find]', v), out = $('output', v), follow = $('[data-follow]', v);
	let hits = [], cur, want;
	const marks = new Map(), shine = window.Highlight && new Highlight();
	if (shine) CSS.highlights.set('find', shine);
	const press = (b, yes) => b?.setAttribute('aria-pressed', yes);
	const follows = () => follow?.ariaPressed === 'true';
	const down = () => { if (follows()) box.scrollTop = box.scrollHeight; };
	const go = li => {
		press(follow, false);
		$('.cur', list)?.classList.remove('cur');
		li.classList.add('cur');
		li.scrollIntoView({ block: 'center' });
	};
	const show = () => {
		const at = hits.indexOf(cur), said = !want ? '' : hits.length ? (at < 0 ? '' : `${at + 1} of `) + hits.length + (hits.length > 1 ? ' lines' : ' line') : 'No line';
		if (out.textContent !== said) out.textContent = said;
	};
	// Those of the lines that have what is searched; it is found in the text as it is, whose letters may grow when made small.
	const mark = lines => want ? lines.filter(li => {
		const n = $('.m', li).firstChild, its = [];
		if (n) for (const m of n.data.matchAll(want)) {
			const r = new Range();
			r.setStart(n, m.index); r.setEnd(n, m.index + m[0].length);
			shine?.add(r);
			if (its.push(r) === 100) break;
		}
		marks.set(li, its);
		return its.length;
	}) : [];
	const search = () => {
		shine?.clear(); marks.clear();
		want = find.value && new RegExp(find.value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'giu');
		hits = mark([...list.children]);
		out.ariaLive = 'polite';
		show();
	};
	const move = by => {
		if (!hits.length) return;
		const at = hits.indexOf(cur);
		cur = hits[at < 0 && by < 0 ? hits.length - 1 : (at + by + hits.length) % hits.length];
		out.ariaLive = 'polite';
		go(cur); show();
	};
	listen(find, 'input', () => { cur = null; search(); });
	listen(find, 'keydown', e => { if (e.key === 'Enter') { e.preventDefault(); move(e.shiftKey ? -1 : 1); } });
	listen(v, 'click', e => {
		const b = e.target.closest('button'), k = b?.dataset ?? {};
		if ('next' in k) move(1);
		if ('prev' in k) move(-1);
		if ('wrap' in k) press(b, box.classList.toggle('wrap'));
		if ('error' in k) { const l = $('.error', list); l && go(l); }
		if ('follow' in k) { press(b, b.ariaPressed !== 'true'); down(); }
	});
	listen(box, 'wheel touchmove keydown', e => !(e.deltaY > 0 || /Down|End|Tab/.test(e.key)) && press(follow, false), { passive: true });
	const told = () => { $('[data-error]', v).hidden = !$('.error', list); out.ariaLive = 'off'; show(); };
	const earlier = $('[data-earlier]', v);
	// Under a reader who does not follow nothing is taken away, up to a bound.
	const trim = () => {
		const many = list.children.length - (follows() ? 5000 : 20000);
		if (many <= 0) return;
		const gone = new Set([...list.children].slice(0, many)), was = box.scrollHeight, top = box.scrollTop;
		for (const li of gone) {
			li.remove();
			marks.get(li)?.forEach(r => shine?.delete(r));
			marks.delete(li);
		}
		hits = hits.filter(li => !gone.has(li));
		box.scrollTop = top + box.scrollHeight - was;
		if (earlier) { earlier.href = `?before=${list.firstElementChild.id.slice(1)}#log`; earlier.hidden = false; }
	};
	const add = lines => {
		list.append(...lines);
		hits.push(...mark(lines));
		trim(); told(); down();
	};
	// A line as the server makes it; what a program printed is never more than text.
	const bad = new RegExp(v.dataset.bad, 'i'), warn = new RegExp(v.dataset.warn, 'i');
	const words = m => m.startsWith('$ ') ? 'cmd' : bad.test(m) ? 'error' : warn.test(m) ? 'warning' : '';
	const tone = (level, m) => level === 'info' ? words(m.slice(0, v.dataset.head)) : level;
	const bit = (tag, name, text) => Object.assign(d.createElement(tag), { className: name, textContent: text });
	const line = (n, e) => {
		const li = bit('li', tone(e.level, e.message), '');
		li.id = 'L' + n;
		li.append(Object.assign(bit('a', 'n', n), { href: '#L' + n, tabIndex: -1 }), Object.assign(bit('time', '', e.timestamp.slice(11, 19)), { dateTime: e.timestamp }));
		if (e.instance) li.append(Object.assign(bit('span', 'inst', e.instance.slice(-4)), { title: e.instance }));
		li.append(bit('span', 'm', e.message));
		return li;
	};
	if (v.dataset.stream) {
		const said = $('[data-said]', v), lost = 'The log is not followed at the moment. It is tried again by itself; if this stays, load the page again.';
		const places = id => id ? id.split(',').map(x => x.split(':')) : [];
		const read = new Map(places(v.dataset.read).map(([of, to]) => [of, +to]));
		let next = [], n = +(list.lastElementChild?.id.slice(1) ?? 0), wait = 5;
		const put = () => {
			const now = next;
			next = [];
			add(now);
		};
		// The stream of a program begins with all that is kept: what the page has is passed over.
		const isNew = (id, e) => {
			const all = places(id), yes = all.some(([of, to]) => (!e.instance || e.instance === of) && !(+to <= read.get(of)));
			all.forEach(([of, to]) => read.set(of, Math.max(to, read.get(of) ?? 0)));
			return yes;
		};
		const open = () => {
			const es = new EventSource(v.dataset.stream.replace(/after=\d+/, 'after=' + n));
			listen(es, 'open', () => { said.hidden = true; wait = 5; });
			listen(es, 'log', ({ data, lastEventId: id }) => {
				const e = JSON.parse(data), ours = 'read' in v.dataset;
				if (ours && !isNew(id, e)) return;
				n = ours ? n + 1 : +id;
				if (next.push(line(n, e)) === 1) setTimeout(put, 60);
			});
			listen(es, 'end', () => {
				es.close();
				said.hidden = true;
				$$('[data-ended]').forEach(p => { p.hidden = false; say(p.textContent); });
				setTimeout(() => follow?.remove(), 90);
			});
			// The browser tries again where it lost the connection, but not where it was refused.
			listen(es, 'error', () => {
				if (said.hidden) { said.firstElementChild.textContent = lost; say(lost); }
				said.hidden = false;
				if (es.readyState !== 2) return;
				setTimeout(open, wait * 1000);
				wait = Math.min(60, wait * 2);
			});
		};
		open();
	}
	// Earlier lines come from the page that has them.
	listen(v, 'click', async e => {
		const a = e.target.closest('[data-earlier]');
		if (!a || e.ctrlKey || e.metaKey || e.shiftKey) return;
		e.preventDefault();
		if (a.ariaBusy) return;
		a.ariaBusy = 'true';
		press(follow, false);
		try {
			const page = new DOMParser().parseFromString(await (await fetch(a.href)).text(), 'text/html'), link = $('[data-earlier]', page);
			if (!$('[data-log]', page)) throw page;
			const more = $$('[data-log] li', page).filter(li => !d.getElementById(li.id)), was = box.scrollHeight, top = box.scrollTop;
			list.prepend(...more);
			box.scrollTop = top + box.scrollHeight - was;
			hits.unshift(...mark(more));
			told();
			say(`${more.length} earlier lines.`);
			a.ariaBusy = null;
			a.hidden = !link || link.hidden;
			if (link) a.href = link.getAttribute('href');
		} catch { location.assign(a.href); }
	});
	if (!location.hash.startsWith('#L')) down();
};

// Variables: rows from a template, and of a pasted .env.
const env = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"((?:\\[^]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\n]*?))[ \t]*(?:[ \t]#[^\n]*)?$/gm;
const parse = text => [...text.matchAll(env)]
	.map(([, name, dq, sq, bq, plain]) => [name, dq?.replace(/\\([nrt"\\$])/g, (m, c) => ({ n: '\n', r: '\r', t: '\t' })[c] ?? c) ?? sq ?? bq ?? plain.replace(/^#.*/, '')]);
let rows = 0;
const row = (v, name = '', value = '') => {
	let tr = name && $$('[name=env_name]', v).find(i => i.value === name)?.closest('tr');
	if (!tr) {
		tr = $('template', v).content.firstElementChild.cloneNode(true);
		rows++;
		$$('[id]', tr).forEach(i => { $('label', i.parentNode).htmlFor = i.id += rows; });
		$('[data-rows]', v).append(tr);
	}
	$('input', tr).value = name;
	$('textarea', tr).value = value;
	return tr;
};
on('click', '[data-row-add]', b => $('input', row(b.closest('[data-vars]'))).focus());
on('click', '[data-row-remove]', b => { const v = b.closest('[data-vars]'); b.closest('tr').remove(); $('[data-row-add]', v).focus(); });
on('click', '[data-env-take]', b => {
	const v = b.closest('[data-vars]'), area = $('[data-env]', v), found = parse(area.value);
	if (found.length) {
		$$('[data-rows] tr', v).forEach(r => $('input', r).value || $('textarea', r).value || r.remove());
		found.forEach(x => row(v, ...x));
		area.value = area.value.replace(env, '').replace(/^[ \t]*(#.*)?(\n|$)/gm, ''); // what was not understood stays
	}
	$('[data-env-said]', v).textContent = found.length ? `Taken over: ${found.length}.` : 'No variable found.';
});

// Zip: sent as it is, with its progress; the form then has its upload_id.
const drop = z => {
	const input = $('input', z), text = $('[data-drop-said]', z), bar = $('progress', z);
	let x;
	const over = e => { e.preventDefault(); z.classList.toggle('over', e.type === 'dragover'); };
	listen(z, 'dragover dragleave', over);
	listen(z, 'drop', e => { over(e); input.files = e.dataTransfer.files; input.dispatchEvent(new Event('change')); });
	listen(input, 'change', () => {
		const f = input.files[0];
		if (!f) return;
		const name = `${f.name}, ${(f.size / 1e6).toFixed(1)} MB: `;
		const before = x;
		x = null;
		before?.abort();
		input.value = '';
		$('[name=upload_id]', input.form).value = '';
		if (!/\.zip$/i.test(f.name)) { text.textContent = `${f.name} is not a zip. Pack the folder as a zip and try again.`; return; }
		const own = x = new XMLHttpRequest();
		x.open('POST', z.dataset.drop);
		x.setRequestHeader('Content-Type', 'application/zip');
		x.setRequestHeader('Content-Disposition', "attachment; filename*=UTF-8''" + encodeURIComponent(f.name).replace(/['()*]/g, c => '%' + c.charCodeAt(0).toString(16)));
		x.setRequestHeader('X-CSRF-Token', $('[name=csrf]', input.form).value);
		x.upload.onprogress = e => { bar.max = e.total; bar.value = e.loaded; };
		x.onloadend = () => {
			if (own !== x) return; // another was chosen meanwhile
			const good = x.status === 201;
			let answer;
			try { answer = JSON.parse(x.responseText); } catch { /* not the server's */ }
			if (good) { $('[name=upload_id]', input.form).value = answer.data.id; $('[name=upload_name]', input.form).value = f.name; }
			text.textContent = name + (good ? 'uploaded.' : answer?.error.message ?? 'not uploaded. Try again.');
			bar.hidden = true;
			say(text.textContent);
		};
		text.textContent = name + 'uploading.';
		bar.hidden = false;
		x.send(f);
	});
};

// Plots: one crosshair over all plots of a table.
const plots = area => {
	const rows = $$('tbody tr', area), names = $$('th', area), all = $$('[data-cols]', area);
	const show = i => all.forEach(p => {
		const line = $('.cross', p), x = i / (rows.length - 1) * 600, cols = p.dataset.cols.split(' ');
		line.toggleAttribute('hidden', i < 0);
		line.setAttribute('x1', x); line.setAttribute('x2', x);
		$('.at', p).textContent = i < 0 ? '' : rows[i].cells[0].textContent + ': ' + cols.map(c => (cols[1] ? names[c].textContent + ' ' : '') + rows[i].cells[c].textContent).join(', ');
	});
	all.forEach(p => {
		const svg = $('svg', p);
		listen(svg, 'pointermove', e => {
			const r = svg.getBoundingClientRect(), n = rows.length - 1;
			show(Math.max(0, Math.min(n, Math.round((e.clientX - r.left) / r.width * n))));
		});
		listen(svg, 'pointerleave', () => show(-1));
	});
};

// htmx polls only while it is seen, and replaces nothing that is in use; it finds the focus again where that has an id.
const polls = e => { const c = e.detail.requestConfig; return c && !c.triggeringEvent && /every/.test(c.elt.getAttribute('hx-trigger')); };
listen(d, 'htmx:beforeRequest', e => { if (d.hidden && polls(e)) e.preventDefault(); });
listen(d, 'htmx:beforeSwap', e => {
	const a = d.activeElement, t = e.detail.target, branch = t.id === 'branch-field' && $('#branch', t);
	if (polls(e) && t.contains(a) && (a.closest('dialog') || a.matches('input, select, textarea'))) e.detail.shouldSwap = false;
	// What was written while the branches were asked for stays.
	if (branch && (a === branch || branch.value !== e.detail.requestConfig.parameters.branch)) e.detail.shouldSwap = false;
});
// What is refused is said; of what asks by itself the next answer will do.
listen(d, 'htmx:responseError', e => {
	if (polls(e)) return;
	const page = new DOMParser().parseFromString(e.detail.xhr.responseText, 'text/html'), why = $('.alert.bad p, .empty p', page), box = d.createElement('div'), p = d.createElement('p');
	box.className = 'alert bad'; box.role = 'alert';
	p.textContent = why?.textContent ?? 'The server did not answer that. Try again.';
	box.append(p); $('#main').prepend(box);
});

// What is shown once answers a POST: to load the page again must not make another one.
const once = s => history.replaceState(history.state, '', s.dataset.once);

function start() {
	Object.entries({ log, drop, plots, match, once }).forEach(([k, fn]) => each(`[data-${k}]`, fn));
	each('.tabs, .subnav', t => { const c = $('[aria-current]', t); if (c) t.scrollLeft = c.offsetLeft - t.offsetLeft - (t.clientWidth - c.clientWidth) / 2; });
	tick(); count();
}
start();
listen(d, 'htmx:load', start);
