/* Scales, axes and marks. A plot is redrawn whenever its width changes, so that its texts keep their size. */

function linear(from, to, low, high) {
  return (value) => low + ((value - from) / (to - from)) * (high - low);
}

function logarithmic(from, to, low, high) {
  const scale = linear(Math.log(from), Math.log(to), low, high);
  return (value) => scale(Math.log(value));
}

function tickText(value) {
  return Number(value.toPrecision(6)).toString();
}

/* Returns about `count` round numbers between two. */
function linearTicks(least, most, count) {
  const rough = (most - least) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const ticks = [];
  for (let i = Math.ceil(least / step - 1e-4); i * step <= most * 1.0001; ++i) ticks.push(i * step);
  return ticks;
}

/* 1, 2, 5, 10, ... if there is room, otherwise powers of ten; round numbers if the axis is short. */
function logarithmicTicks(least, most) {
  if (most / least < 3) return linearTicks(least, most, 5);
  const factors = most / least > 300 ? [1] : most / least < 6 ? [1, 1.5, 2, 3, 4, 5, 7] : [1, 2, 5];
  const ticks = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10)
    for (const factor of factors)
      if (factor * power >= least * 0.999 && factor * power <= most * 1.001) ticks.push(factor * power);
  return ticks;
}

/* Draws a dot, a ring, or the mark of another library. */
function symbol(kind, x, y, size) {
  const shape = kind.split(' ').pop();
  const at = (dx, dy) => `${(x + dx * size).toFixed(1)} ${(y + dy * size).toFixed(1)}`;
  const corners = {
    library0: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
    library1: [[0, -1.2], [1.15, 0.9], [-1.15, 0.9]],
    library2: [[-1, -1], [1, -1], [1, 1], [-1, 1]],
    fail: [[-0.25, -1], [0.25, -1], [0.25, 1], [-0.25, 1]],
  }[shape];
  if (!corners) return s('circle', {cx: x.toFixed(1), cy: y.toFixed(1), r: size, class: kind});
  return s('path', {d: `M${corners.map(([dx, dy]) => at(dx, dy)).join('L')}Z`, class: kind});
}

/* Draws many dots in one path with round ends. */
function dots(points, kind) {
  return s('path', {class: `dots ${kind}`, d: points.map(({x, y}) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('')});
}

function line(x1, y1, x2, y2, kind) {
  return s('path', {d: `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`, class: kind});
}

function label(x, y, text, kind = '') {
  return s('text', {x: x.toFixed(1), y: y.toFixed(1), class: kind}, text);
}

const pen = document.createElement('canvas').getContext('2d');
pen.font = '600 12px system-ui, sans-serif';

/* Returns the width of a text at the figures' size, in pixels. */
function textWidth(text) {
  return pen.measureText(text).width;
}

function shortened(text, width) {
  let kept = text;
  while (kept.length > 1 && textWidth(kept) > width) kept = `${kept.slice(0, -2)}…`;
  return kept;
}

/* Math.max() of a list of any length. */
function largest(values) {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

/* Draws a vertical line and a number below for each tick; leaves out numbers without room. */
function xAxis(svg, ticks, x, top, bottom, title, right) {
  let end = -Infinity;
  for (const tick of ticks) {
    svg.append(line(x(tick), top, x(tick), bottom, 'grid'));
    const half = textWidth(tickText(tick)) / 2;
    if (x(tick) - half < end + 6) continue;
    svg.append(label(x(tick), bottom + 16, tickText(tick), 'tick middle'));
    end = x(tick) + half;
  }
  svg.append(label(right, bottom + 33, title, 'tick end'));
}

function yAxis(svg, ticks, y, left, right) {
  for (const tick of ticks) {
    svg.append(line(left, y(tick), right, y(tick), 'grid'));
    svg.append(label(left - 8, y(tick) + 4, tickText(tick), 'tick end'));
  }
}

/* Shows the text of a point near the pointer and rings it. Points are {x, y, text: () => string}. */
function hoverable(svg, points) {
  const ring = s('circle', {r: 7, class: 'ring-hover'});
  ring.style.display = 'none';
  svg.append(ring);
  const hide = () => {
    ring.style.display = 'none';
    hideTip();
  };
  const find = (event) => {
    const box = svg.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top;
    let nearest = null, least = 20 ** 2;
    for (const point of points) {
      const distance = (point.x - px) ** 2 + (point.y - py) ** 2;
      if (distance < least) [nearest, least] = [point, distance];
    }
    if (!nearest) return hide();
    ring.setAttribute('cx', nearest.x);
    ring.setAttribute('cy', nearest.y);
    ring.style.display = '';
    showTip(nearest.text(), event);
  };
  svg.addEventListener('pointermove', find);
  svg.addEventListener('pointerdown', find);
  svg.addEventListener('pointerleave', hide);
}

/* Makes a figure with its caption; draw(svg, width) fills it and returns {height, points}. */
function figure(caption, description, draw, ...more) {
  const svg = s('svg', {role: 'img', 'aria-label': description});
  const holder = h('div', {class: 'plot'}, svg);
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.floor(holder.clientWidth);
    if (now === 0 || now === width) return;
    width = now;
    const fresh = svg.cloneNode(false);
    const {height, points} = draw(fresh, width);
    fresh.setAttribute('width', width);
    fresh.setAttribute('height', height);
    fresh.setAttribute('viewBox', `0 0 ${width} ${height}`);
    if (points) hoverable(fresh, points);
    holder.replaceChildren(fresh);
  }).observe(holder);
  return h('figure', {}, ...(caption ? [h('figcaption', {}, caption)] : []), holder, ...more);
}
