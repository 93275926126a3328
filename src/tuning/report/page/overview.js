/* Figures over all shapes: sorted gains, other libraries, the roofline. */

const narrow = (width) => width < 560;
const measured = data.shapes.map((shape, index) => ({...shape, index})).filter((shape) => shape.gain);
const byGain = [...measured].sort((a, b) => b.gain.value - a.gain.value);
const libraryKind = (name) => `library${data.libraries.findIndex((library) => library.name === name) % 3}`;
const types = [...new Set(measured.map((shape) => shape.type))];
const pointLegend = types.flatMap((type) => [[`dot ${type}`, types.length > 1 ? `${type} tuned` : 'tuned'], [
                                    `ring ${type}`, types.length > 1 ? `${type} untuned` : 'untuned'
                                  ]]);
const shapeLabel = (shape) => `${shape.index + 1}  ${shape.name}`;

/* One row per shape in the order of gain. Its name is to the left or, on a narrow screen, above. */
function rows(width) {
  const above = narrow(width);
  const longest = largest(byGain.map((shape) => textWidth(shapeLabel(shape))));
  const left = above ? 4 : Math.min(longest + 14, 250), step = above ? 40 : 26;
  const top = 10, bottom = top + step * byGain.length;
  return {
    left,
    top,
    bottom,
    at: (i) => top + step * i + (above ? 27 : 13),
    name: (shape, i) => above ?
        label(4, top + step * i + 14, shapeLabel(shape), 'name') :
        label(left - 12, top + step * i + 17, shortened(shapeLabel(shape), left - 12), 'name end'),
  };
}

function drawGains(svg, width) {
  const place = rows(width), right = width - 58;
  const gains = byGain.map((shape) => shape.gain.value);
  const least = Math.min(1, ...gains) / 1.001, most = Math.max(1.25, ...gains) * 1.02;
  const x = logarithmic(least, most, place.left, right);
  xAxis(svg, logarithmicTicks(least, most), x, place.top, place.bottom, 'times as fast as untuned', right);
  if (byGain.length > 1) {
    const mean = x(data.gain.mean.value);
    svg.append(line(mean, place.top - 4, mean, place.bottom, 'mean'));
  }
  const points = [];
  byGain.forEach((shape, i) => {
    const y = place.at(i), from = Math.min(x(1), x(shape.gain.value)), to = Math.max(x(1), x(shape.gain.value));
    svg.append(place.name(shape, i));
    svg.append(
        s('rect', {x: from, y: y - 6, width: Math.max(2, to - from), height: 12, rx: 2, class: `bar ${shape.type}`}));
    svg.append(label(to + 6, y + 4, shape.gain.text, 'value'));
    points.push({
      x: to,
      y,
      text: () => `${shape.name}: ${shape.gain.text} as fast as untuned, ` +
          `${shape.untuned.speed.text} → ${shape.tuned.speed.text} ${data.unit}`
    });
  });
  svg.append(line(x(1), place.top, x(1), place.bottom, 'axis'));
  return {height: place.bottom + 42, points};
}

function gainsFigure() {
  const text = `Gains over untuned, largest first; geometric mean ${data.gain.mean.text}`;
  const caption =
      byGain.length > 1 ? `Largest first. The dashed line is the geometric mean, ${data.gain.mean.text}.` : '';
  return figure(
      caption, text, drawGains, ...(types.length > 1 ? [legend(...types.map((type) => [`dot ${type}`, type]))] : []));
}

function drawSpeeds(svg, width) {
  const place = rows(width), right = width - 14;
  const speeds =
      byGain.flatMap((shape) => [shape.untuned, shape.tuned, ...shape.references].map((timing) => timing.speed.value));
  const least = Math.min(...speeds) / 1.25, most = Math.max(...speeds) * 1.25;
  const x = logarithmic(least, most, place.left, right);
  xAxis(svg, logarithmicTicks(least, most), x, place.top, place.bottom, data.unit, right);
  const points = [];
  byGain.forEach((shape, i) => {
    const y = place.at(i);
    const add = (kind, timing, size, text) => {
      const at = x(timing.speed.value);
      svg.append(symbol(kind, at, y, size));
      points.push({x: at, y, text: () => `${shape.name}: ${text}, ${timing.speed.text} ${data.unit}, ${timing.time.text}`});
    };
    svg.append(place.name(shape, i));
    svg.append(line(x(shape.untuned.speed.value), y, x(shape.tuned.speed.value), y, `link ${shape.type}`));
    add(`ring ${shape.type}`, shape.untuned, 4.5, 'untuned');
    for (const reference of shape.references)
      add(libraryKind(reference.library), reference, 5,
          `${reference.library}, tuned is ${reference.ratio.text} as fast`);
    add(`dot ${shape.type}`, shape.tuned, 5, 'tuned');
  });
  return {height: place.bottom + 42, points};
}

function speedsFigure() {
  const names = data.libraries.map((library) => library.name);
  const columns = [
    {title: 'shape'}, {title: 'untuned', number: true}, {title: 'tuned', number: true},
    ...names.flatMap((name) => [{title: name, number: true}, {title: `tuned / ${name}`, number: true}])
  ];
  const table_rows =
      byGain.map((shape) => [shape.name, shape.untuned.speed.text, shape.tuned.speed.text, ...names.flatMap((name) => {
                   const reference = shape.references.find((each) => each.library === name);
                   return reference ? [reference.speed.text, reference.ratio.text] : ['–', '–'];
                 })]);
  return figure(
      'Their results were verified like ours.', `Speed of each shape untuned, tuned and by ${names.join(' and ')}`,
      drawSpeeds, legend(...pointLegend, ...names.map((name) => [libraryKind(name), name])),
      folded('Table', () => table(columns, table_rows, `Speeds in ${data.unit}, compared with other libraries`)));
}

/* The minimum of peak and bandwidth. */
const roofAt = (roof, intensity) =>
    Math.min(roof.peak.value, data.bandwidth ? data.bandwidth.value * intensity : Infinity);

/* Places a number next to each point, where it covers nothing if that is possible. */
function numberPoints(svg, points, width) {
  const taken = points.flatMap(({x, y}) => [{x: x - 5, y: y - 5, w: 10, h: 10}]);
  const covers = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  for (const {x, y, text} of points) {
    const w = textWidth(text) + 2, places = [];
    for (const away of [8, 16, 26])
      for (const [dx, dy] of [[1, -1], [-1, -1], [1, 0], [-1, 0], [0, -1], [1, 1], [-1, 1], [0, 1]])
        places.push({x: x + dx * away - (dx < 0 ? w : dx === 0 ? w / 2 : 0), y: y + dy * away - 6, w, h: 12});
    const free =
        places.find((place) => place.x > 0 && place.x + w < width && !taken.some((other) => covers(place, other)));
    const chosen = free ?? places[0];
    taken.push(chosen);
    svg.append(label(chosen.x + 1, chosen.y + 10, text, 'number'));
  }
}

function drawRoofline(svg, width) {
  const left = 52, right = width - 14, top = 24, bottom = narrow(width) ? 300 : 380;
  const speeds = measured.flatMap((shape) => [shape.untuned.speed.value, shape.tuned.speed.value]);
  const intensities = measured.map((shape) => shape.intensity.value);
  const ridges = data.bandwidth ? data.roofs.map((roof) => roof.peak.value / data.bandwidth.value) : [];
  const leastX = Math.min(...intensities, ...ridges) / 2, mostX = Math.max(...intensities, ...ridges) * 2;
  const leastY = Math.min(...speeds) / 2,
        mostY = Math.max(...speeds, ...data.roofs.map((roof) => roof.peak.value)) * 1.5;
  const x = logarithmic(leastX, mostX, left, right), y = logarithmic(leastY, mostY, bottom, top);
  xAxis(svg, logarithmicTicks(leastX, mostX), x, top, bottom, 'FLOP per byte', right);
  yAxis(svg, logarithmicTicks(leastY, mostY), y, left, right);
  svg.append(label(4, 12, data.unit, 'tick'));
  for (const roof of data.roofs) {
    const ridge = data.bandwidth ? roof.peak.value / data.bandwidth.value : leastX;
    const begin = data.bandwidth ? Math.max(leastX, leastY / data.bandwidth.value) : leastX;
    const corners = [begin, Math.min(Math.max(ridge, begin), mostX), mostX].map(
        (at) => `${x(at).toFixed(1)} ${y(roofAt(roof, at)).toFixed(1)}`);
    svg.append(s('path', {d: `M${corners.join('L')}`, class: `roof ${roof.type}`}));
    svg.append(label(
        right - 2, y(roofAt(roof, mostX)) - 7, `${roof.type} peak ${roof.peak.text}`, `end roof-name ${roof.type}`));
  }
  const points = [], numbered = [];
  for (const shape of measured) {
    const at = x(shape.intensity.value), low = y(shape.untuned.speed.value), high = y(shape.tuned.speed.value);
    svg.append(
        line(at, low, at, high, `link ${shape.type}`), symbol(`ring ${shape.type}`, at, low, 3.5),
        symbol(`dot ${shape.type}`, at, high, 4.5));
    points.push({x: at, y: low, text: () => `${shapeLabel(shape)}: untuned, ${shape.untuned.speed.text} ${data.unit}`});
    points.push({x: at, y: high, text: () => `${shapeLabel(shape)}: tuned, ${shape.tuned.speed.text} ${data.unit}`});
    numbered.push({x: at, y: high, text: `${shape.index + 1}`});
  }
  numberPoints(svg, numbered, width);
  return {height: bottom + 42, points};
}

function rooflineFigure() {
  const limits = data.roofs.map((roof) => `${roof.type} peak ${roof.peak.text} GFLOP/s`);
  if (data.bandwidth) limits.push(`bandwidth ${data.bandwidth.text} GB/s`);
  const rows_of = measured.map(
      (shape) =>
          [`${shape.index + 1}`, shape.name, shape.intensity.text, shape.untuned.speed.text, shape.tuned.speed.text]);
  return figure(
      `Measured limits: ${
          limits.join(', ')}. The slope is the memory's bandwidth: problems that fit into a cache may lie above it.`,
      `Roofline: ${limits.join(', ')}, and each shape's speed, tuned and untuned`, drawRoofline, legend(...pointLegend),
      folded(
          'Table',
          () => table(
              [
                {title: '', number: true}, {title: 'shape'}, {title: 'FLOP per byte', number: true},
                {title: 'untuned', number: true}, {title: 'tuned', number: true}
              ],
              rows_of, `Arithmetic intensity and speed of each shape, ${data.unit}`)));
}
