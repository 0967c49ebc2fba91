/** The icons of the build look like those of the package. */
import { X } from 'lucide-react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import createIcon from '#ui/icon';

/** As the package stores the icon X. */
const x = {
  node: [
    ['path', { d: 'M18 6 6 18', key: 'one' }],
    ['path', { d: 'm6 6 12 12', key: 'other' }],
  ],
} as const;

test.each([
  {},
  { size: 18 },
  { size: 72, strokeWidth: 1.5, 'aria-hidden': true },
  { className: 'big', 'aria-label': 'Close', 'aria-hidden': false },
] as const)('an icon with %o is drawn like the package draws it', (props) => {
  const Icon = createIcon(x);
  const draw = (markup: string) => {
    const box = document.createElement('div');
    box.innerHTML = markup;
    const svg = box.firstElementChild;
    // The namespace and the names of classes are not drawn.
    svg?.removeAttribute('xmlns');
    svg?.classList.remove('lucide', 'lucide-x');
    const attributes = [...(svg?.attributes ?? [])]
      .filter(({ name, value }) => name !== 'class' || value !== '')
      .map(({ name, value }) => `${name}=${value}`);
    return { attributes: attributes.toSorted(), shapes: svg?.innerHTML };
  };

  expect(draw(renderToStaticMarkup(<Icon {...props} />))).toEqual(
    draw(renderToStaticMarkup(<X {...props} />)),
  );
});
