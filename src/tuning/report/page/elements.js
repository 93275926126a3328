/* Makes elements of the page. Texts are inserted as text, never as markup. */

const data = JSON.parse(document.getElementById('data').textContent);
const svgSpace = document.querySelector('svg').namespaceURI;

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/* Makes an HTML element: h("p", {class: "note"}, "text", other). */
function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/* Makes an SVG element, like h(). */
function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(svgSpace, tag), attributes, children);
}

/* Makes a table; columns are {title, number}, rows are lists of texts or elements. */
function table(columns, rows, caption) {
  const kind = (i) => (columns[i].number ? {class: 'number'} : {});
  const body = h('tbody');
  for (const row of rows) body.append(h('tr', {}, ...row.map((cell, i) => h('td', kind(i), cell))));
  return h(
      'div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption},
      h('table', {}, h('caption', {class: 'unseen'}, caption),
        h('thead', {}, h('tr', {}, ...columns.map((column, i) => h('th', {scope: 'col', ...kind(i)}, column.title)))),
        body));
}

/* Makes a folded part whose content is made when it is first opened. */
function folded(title, make) {
  const details = h('details', {class: 'fold'}, h('summary', {}, title));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(make());
  });
  return details;
}

/* The outcomes of trials, in words. */
const outcomeWords = {
  ok: 'measured',
  slow: 'given up early',
  constraints: 'beyond the device\'s limits',
  compile: 'did not compile',
  runtime: 'did not run',
  correctness: 'wrong',
  timeout: 'timed out',
  crash: 'crashed',
};

function choiceText(number) {
  const choice = data.choices[number];
  return choice.configuration ? `${choice.variant} ${choice.configuration}` : choice.variant;
}

function choiceElement(number) {
  const choice = data.choices[number];
  return h('span', {class: 'choice'}, h('b', {}, choice.variant), ' ', h('small', {}, choice.configuration));
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/* Makes a legend from pairs of a mark's class and its meaning. */
function legend(...entries) {
  return h('ul', {class: 'legend'}, ...entries.map(([kind, meaning]) => {
    const icon = s('svg', {viewBox: '-8 -8 16 16', 'aria-hidden': 'true'});
    icon.append(kind.startsWith('line') ? s('path', {d: 'M-8 0H8', class: kind}) : symbol(kind, 0, 0, 5));
    return h('li', {}, icon, meaning);
  }));
}

const tip = document.getElementById('tip');

function showTip(text, event) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left =
      Math.min(Math.max(8, event.clientX - box.width / 2), document.documentElement.clientWidth - box.width - 8);
  const above = event.clientY - box.height - 14;
  tip.style.left = `${left}px`;
  tip.style.top = `${above > 4 ? above : event.clientY + 18}px`;
}

function hideTip() {
  tip.hidden = true;
}
