/* Assembles the page. */

const figures = document.getElementById('figures');
const contents = [['results', 'Results']];

function section(id, title, ...parts) {
  figures.append(h('section', {id}, h('h2', {}, title), ...parts));
  contents.push([id, title]);
}

if (measured.length > 0) section('gains', 'Gains, sorted', gainsFigure());
if (measured.length > 0 && data.libraries.length > 0) section('libraries', 'Other libraries', speedsFigure());
if (data.roofs.length > 0) section('roofline', 'Roofline', rooflineFigure());
if (data.heatmaps.length > 0) section('configurations', 'Configurations on shapes', ...heatmapSection());
if (data.shapes.length > 0) {
  const all = data.shapes.map(shapeSection);
  const fold = h('button', {type: 'button'}, 'Open all');
  fold.addEventListener('click', () => {
    const open = all.some((details) => !details.open);
    for (const details of all) details.open = open;
    fold.textContent = open ? 'Close all' : 'Open all';
  });
  section(
      'shapes', 'Shapes',
      h('p', {},
        'Each dot is a configuration. Lines and the final’s configurations are medians of repeated timings taken in ' +
            'turns; the other dots are the search’s quick timings, so that one may lie beyond the tuned line. ' +
            'Red strokes failed.'),
      fold, ...all);
  all[0].open = true;
  addEventListener('beforeprint', () => all.forEach((details) => (details.open = true)));
}

const links = contents.map(([id, title]) => h('li', {}, h('a', {href: `#${id}`}, title)));
if (data.shapes.length > 0)
  links.at(-1).append(
      h('ol', {}, ...data.shapes.map((shape, i) => h('li', {}, h('a', {href: `#shape-${i + 1}`}, shape.name)))));
const fold = h('details', {}, h('summary', {}, 'Contents'), h('ul', {}, ...links));
const wide = matchMedia('(min-width: 1100px)');
const follow = () => (fold.open = wide.matches);
wide.addEventListener('change', follow);
follow();
document.getElementById('contents').append(fold);

/* Opens the shape that a link refers to. */
function openTarget() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target) return;
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^=\'#\']');
  if (link && link.getAttribute('href') === location.hash) openTarget();
});
openTarget();
