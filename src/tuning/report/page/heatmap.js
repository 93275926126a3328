/* Every winner on every shape, as a table with coloured cells. */

function coloured(cell, share) {
  const strength = Math.min(1, Math.max(0, (share - 0.2) / 0.8)) ** 1.6;
  cell.style.setProperty('--strength', `${Math.round(strength * 100)}%`);
  if (strength > 0.6) cell.classList.add(strength > 0.83 ? 'strong' : 'middling'); /* for the contrast of the text */
  return cell;
}

function heatCell(cell, shape, choice) {
  const about = `${choiceText(choice)} on ${shape.name}`;
  if (!cell) return h('td', {class: 'heat none', title: `${about}: not tried`}, '·');
  if (cell.failed) return h('td', {class: 'heat failed', title: `${about}: ${outcomeWords[cell.failed]}`}, '×');
  return coloured(
      h('td', {
        class: cell.won ? 'heat won' : 'heat',
        title: `${about}: ${cell.share.text} of the best, ${cell.speed.text} ${data.unit}`
      },
        cell.share.text.replace(' %', '')),
      cell.share.value);
}

function heatmap(map) {
  const shapes = map.shapes.map((index) => ({...data.shapes[index], index}));
  const head =
      h('tr', {}, h('th', {scope: 'col'}, 'configuration'),
        ...shapes.map(
            (shape) =>
                h('th', {scope: 'col', class: 'heat', title: shape.name},
                  h('a', {href: `#shape-${shape.index + 1}`}, `${shape.index + 1}`))),
        h('th', {scope: 'col', class: 'number'}, 'typical'), h('th', {scope: 'col', class: 'number'}, 'worst'));
  const body = map.rows.map(
      (row) =>
          h('tr', {}, h('th', {scope: 'row'}, choiceElement(row.choice)),
            ...row.cells.map((cell, i) => heatCell(cell, shapes[i], row.choice)),
            h('td', {class: 'number'}, row.typical.text), h('td', {class: 'number'}, row.worst.text)));
  return h(
      'div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': `Configurations on shapes, ${map.type}`},
      h('table', {class: 'heatmap'},
        h('caption', {class: 'unseen'},
          `Speed of each configuration on each ${map.type} shape, in percent of the best`),
        h('thead', {}, head), h('tbody', {}, ...body)));
}

function heatmapSection() {
  const parts =
      data.heatmaps.flatMap((map) => data.heatmaps.length > 1 ? [h('h3', {}, map.type), heatmap(map)] : [heatmap(map)]);
  return [
    h('p', {},
      'Winning and untuned configurations on all shapes, in percent of each shape’s best speed. Columns are ' +
          'shape numbers. Typical is the geometric mean. Outlined: the winner. ×: failed. ·: not tried. ' +
          'Above 100: a quick timing of the search.'),
    ...parts
  ];
}
