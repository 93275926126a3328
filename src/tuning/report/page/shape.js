/* One shape: every configuration as a dot, the search's progress, failures, the fastest, the parameters. */

/* Returns the position of a dot within its strip, -1 to 1; equal in every drawing. */
function jitter(i) {
  return (((i * 0.618033988749895) % 1) - 0.5) * 2;
}

function trialText(trial, i) {
  const how = trial.timings === 0 ? 'extrapolated from a smaller product' : plural(trial.timings, 'timing');
  const result = trial.speed ? `${trial.speed.text} ${data.unit}, ${trial.time.text}, ${how}` : outcomeWords[trial.status];
  return `${i + 1}: ${choiceText(trial.choice)} — ${result}`;
}

/* Returns the variants, the fastest first; variants without any time come last. */
function strips(shape) {
  const byVariant = new Map();
  shape.trials.forEach((trial, i) => {
    const name = data.choices[trial.choice].variant;
    if (!byVariant.has(name)) byVariant.set(name, {name, trials: [], failed: 0, best: 0});
    const strip = byVariant.get(name);
    if (trial.speed) {
      strip.trials.push({trial, i});
      strip.best = Math.max(strip.best, trial.speed.value);
    } else {
      ++strip.failed;
    }
  });
  return [...byVariant.values()].sort((a, b) => b.best - a.best);
}

/* Returns the speeds to compare with, which are drawn as lines through all strips. */
function levels(shape) {
  if (!shape.tuned) return [];
  return [
    {kind: 'line-untuned', name: 'untuned', speed: shape.untuned.speed},
    ...shape.references.map(
        (reference) =>
            ({kind: `line-${libraryKind(reference.library)}`, name: reference.library, speed: reference.speed})),
    {kind: 'line-tuned', name: 'tuned', speed: shape.tuned.speed}
  ].sort((a, b) => a.speed.value - b.speed.value);
}

/* Writes the names of the lines above them, in as many rows as they need. */
function nameLevels(svg, lines, x, right) {
  const ends = [];
  const placed = lines.map((level) => {
    const text = `${level.name} ${level.speed.text}`, half = textWidth(text) / 2;
    const middle = Math.min(Math.max(x(level.speed.value), half + 2), right - half);
    let row = ends.findIndex((end) => end + 8 < middle - half);
    if (row < 0) row = ends.length;
    ends[row] = middle + half;
    return {...level, text, middle, row};
  });
  for (const {text, middle, row, kind} of placed) svg.append(label(middle, 14 + 15 * row, text, `middle ${kind}`));
  return {placed, height: 15 * ends.length};
}

function drawStrips(shape) {
  return (svg, width) => {
    const above = narrow(width), all = strips(shape), lines = levels(shape);
    const left = above ? 10 : 150, right = width - (above ? 10 : 110), step = above ? 50 : 38;
    const most = largest([...all.map((strip) => strip.best), ...lines.map((level) => level.speed.value), 1e-9]) * 1.04;
    const x = linear(0, most, left, right);
    const names = nameLevels(svg, lines, x, width), top = names.height + 8, bottom = top + step * all.length;
    xAxis(svg, linearTicks(0, most, above ? 5 : 8), x, top, bottom, data.unit, width - 4);
    for (const {kind, speed, row} of names.placed)
      svg.append(line(x(speed.value), 18 + 15 * row, x(speed.value), bottom, kind));
    const points = [];
    all.forEach((strip, row) => {
      const begin = top + step * row, middle = begin + (above ? 33 : step / 2), spread = above ? 10 : 13;
      const count = `${strip.trials.length}${strip.failed ? `, ${strip.failed} failed` : ''}`;
      if (row > 0) svg.append(line(above ? 0 : 0, begin, width, begin, 'grid'));
      svg.append(
          above ? label(left, begin + 15, strip.name, 'name') :
                  label(0, middle + 4, shortened(strip.name, left - 8), 'name'));
      svg.append(above ? label(right, begin + 15, count, 'tick end') : label(width, middle + 4, count, 'tick end'));
      const placed = strip.trials.map(
          ({trial, i}) => ({x: x(trial.speed.value), y: middle + spread * jitter(i), text: () => trialText(trial, i)}));
      svg.append(dots(placed, shape.type));
      const best = strip.trials.findIndex(({trial}) => trial.speed.value === strip.best);
      if (best >= 0) svg.append(symbol(`dot ${shape.type}`, placed[best].x, placed[best].y, 4.5));
      for (const point of placed) points.push(point);
    });
    return {height: bottom + 42, points};
  };
}

function drawProgress(shape) {
  return (svg, width) => {
    const left = 52, right = width - 14, top = 24, bottom = 170, count = shape.trials.length;
    const most =
        largest([...shape.trials.map((trial) => trial.speed?.value ?? 0), shape.tuned?.speed.value ?? 0, 1e-9]) * 1.05;
    const x = linear(0, Math.max(1, count), left, right), y = linear(0, most, bottom, top);
    xAxis(
        svg, linearTicks(0, count, narrow(width) ? 4 : 8).filter((tick) => tick === Math.floor(tick)), x, top, bottom,
        'configurations tried', right);
    yAxis(svg, linearTicks(0, most, 4), y, left, right);
    svg.append(label(4, 12, data.unit, 'tick'));
    const points = [], failed = [];
    let best = 0, path = '';
    shape.trials.forEach((trial, i) => {
      const at = x(i + 1);
      const point = {x: at, y: trial.speed ? y(trial.speed.value) : bottom, text: () => trialText(trial, i)};
      points.push(point);
      if (!trial.speed) return failed.push(point);
      if (trial.speed.value <= best) return;
      path += path ? `H${at.toFixed(1)}V${point.y.toFixed(1)}` : `M${at.toFixed(1)} ${point.y.toFixed(1)}`;
      best = trial.speed.value;
    });
    if (shape.untuned)
      svg.append(line(left, y(shape.untuned.speed.value), right, y(shape.untuned.speed.value), 'line-untuned'));
    svg.append(dots(points.filter((point) => point.y !== bottom), shape.type));
    for (const point of failed) svg.append(line(point.x, bottom, point.x, bottom - 8, 'fail'));
    if (path) svg.append(s('path', {d: `${path}H${right}`, class: `best ${shape.type}`}));
    return {height: bottom + 42, points};
  };
}

function outcomeText(shape) {
  const outcomes = Object.entries(shape.outcomes).map(([status, count]) => `${count} ${outcomeWords[status]}`);
  return `${plural(shape.tried, 'configuration')} tried${outcomes.length > 0 ? `: ${outcomes.join(', ')}` : ''}.`;
}

function noiseText(shape) {
  const parts = ['tuned', 'untuned'].filter((which) => shape[which]?.variation)
                    .map((which) => `${which} ${shape[which].variation.text}`);
  return parts.length > 0 ? ` Noise: ${parts.join(', ')}.` : '';
}

function trialTable(trials, caption) {
  return table(
      [
        {title: data.unit, number: true}, {title: 'time', number: true}, {title: 'timings', number: true},
        {title: 'configuration'}
      ],
      trials.map(
          (trial) =>
              [trial.speed ? trial.speed.text : outcomeWords[trial.status], trial.time ? trial.time.text : '',
               trial.timings > 0 ? `${trial.timings}` : '–', choiceElement(trial.choice)]),
      caption);
}

function failureTable(shape) {
  return table(
      [{title: 'count', number: true}, {title: 'outcome'}, {title: 'message'}, {title: 'for example'}],
      shape.failures.map(
          (failure) =>
              [`${failure.count}`, outcomeWords[failure.status], h('span', {class: 'message'}, failure.message || '–'),
               choiceElement(failure.example)]),
      `Failures of ${shape.name}`);
}

function influencePart(variant) {
  const rows = variant.parameters.map((parameter) => {
    const bar = h('span', {class: 'share'}, h('i'), parameter.explained.text);
    bar.firstChild.style.width = `${Math.round(parameter.explained.value * 60)}px`;
    const values = parameter.values.map(
        (value) => coloured(
            h('span', {
              class: 'heat',
              title: `${parameter.name}=${value.value}: best ${value.best.text}, median ${value.median.text} ${data.unit}, ${
                  plural(value.count, 'configuration')}`
            },
              h('b', {}, `${value.value}`), ' ', value.share.text),
            value.share.value));
    return [h('span', {class: 'parameter'}, parameter.name), bar, h('span', {class: 'values'}, ...values)];
  });
  return [
    h('h4', {}, `${variant.variant}, ${plural(variant.count, 'configuration')}`),
    table(
        [{title: 'parameter'}, {title: 'explains'}, {title: 'its values, with the best speed of each'}], rows,
        `Influence of the parameters of ${variant.variant}`)
  ];
}

function influence(shape) {
  return h(
      'div', {},
      h('p', {},
        'Explains: the share of the variance of the logarithm of the time, among the configurations tried. ' +
            'Percentages after values: the best speed with this value, of the variant\'s best.'),
      ...shape.influence.flatMap(influencePart));
}

function shapeBody(shape) {
  const timed = shape.trials.filter((trial) => trial.speed).sort((a, b) => a.time.value - b.time.value);
  const parts = [];
  if (shape.message) parts.push(h('p', {class: 'warning'}, `No result: ${shape.message}`));
  for (const note of shape.notes) parts.push(h('p', {class: 'warning'}, note));
  if (shape.tuned) parts.push(h('p', {class: 'winner'}, choiceElement(shape.tuned.choice)));
  parts.push(h('p', {}, outcomeText(shape), noiseText(shape)));
  if (timed.length > 0) {
    parts.push(
        h('h4', {}, 'Configurations by variant'),
        figure('', `Speeds of all configurations by variant on ${shape.name}`, drawStrips(shape)));
    parts.push(
        h('h4', {}, 'Search'),
        figure('', `Best speed so far over the configurations tried on ${shape.name}`, drawProgress(shape)));
    parts.push(h('h4', {}, 'Fastest'), trialTable(timed.slice(0, 5), `Fastest configurations on ${shape.name}`));
  }
  if (shape.influence.length > 0) parts.push(folded('Influence of the parameters', () => influence(shape)));
  if (shape.failures.length > 0) parts.push(folded(`Failures (${shape.failed})`, () => failureTable(shape)));
  if (shape.trials.length > 0)
    parts.push(folded(
        `All configurations (${shape.tried})`,
        () => trialTable(
            [...timed, ...shape.trials.filter((trial) => !trial.speed)], `All configurations tried on ${shape.name}`)));
  return h('div', {class: 'body'}, ...parts);
}

function shapeSection(shape, index) {
  const right = shape.tuned ?
      [h('span', {class: 'speed'}, `${shape.tuned.speed.text} ${data.unit}`), h('span', {class: 'gain'}, shape.gain.text)] :
      [h('span', {class: 'gain'}, 'no result')];
  const details =
      h('details', {class: 'shape', id: `shape-${index + 1}`},
        h('summary', {}, h('span', {class: 'rank'}, `${index + 1}`), h('span', {class: 'name'}, shape.name), ...right));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(shapeBody(shape));
  });
  return details;
}
