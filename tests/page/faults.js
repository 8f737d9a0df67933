// What is wrong with what is drawn: charts without extent, text outside of its chart or over another,
// labels over one another.
() => {
  const faults = [];
  const box = (element) => element.getBoundingClientRect();
  const seen = (element) => element.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true});
  const name = (element) => (element.closest('[id]')?.id ?? '?') + ': ' + element.textContent.trim().slice(0, 40);
  const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 &&
    a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const apart = (elements, what) => {
    const boxes = elements.map(box);
    boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other, j) => {
      if (over(one, other)) faults.push(`${what} on top: ${name(elements[i])} | ${name(elements[i + 1 + j])}`);
    }));
  };
  for (const svg of document.querySelectorAll('svg')) {
    if (!seen(svg)) continue;
    const frame = box(svg);
    if (frame.width < 3 || frame.height < 3) faults.push('no extent: ' + svg.id);
    const painted = [...svg.querySelectorAll('rect, path, image')]
      .filter((shape) => box(shape).width + box(shape).height > 0);
    if (!painted.length) faults.push('nothing drawn: ' + svg.id);
    const texts = [...svg.querySelectorAll('text')];
    for (const text of texts) if (!inside(box(text), frame)) faults.push('outside of its chart: ' + name(text));
    for (const node of svg.querySelectorAll('.node')) {
      for (const text of node.querySelectorAll('text')) {
        if (!inside(box(text), box(node.querySelector('.node-box')))) faults.push('outside of its node: ' + name(text));
      }
    }
    apart(texts, 'texts');
  }
  for (const labels of document.querySelectorAll('.axis, .side')) {
    if (!seen(labels)) continue;
    const plot = box(labels.closest('.plot, .balance'));
    const spans = [...labels.querySelectorAll('span')].filter(seen);
    const around = {...plot.toJSON(), top: plot.top - 6, bottom: plot.bottom + 6};
    for (const span of spans) if (!inside(box(span), around)) faults.push('label outside: ' + name(span));
    apart(spans, 'labels');
  }
  for (const element of document.querySelectorAll('p, h1, h2, h3, h4, li, figcaption, td .stack')) {
    if (!element.closest('.wide, pre, nav') && seen(element) && box(element).right > innerWidth + 1) {
      faults.push('wider than the page: ' + name(element));
    }
  }
  return faults;
}
