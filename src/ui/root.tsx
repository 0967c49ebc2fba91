/** The outermost element, and the style sheets that every page has. */
import { type ReactNode } from 'react';

import './tokens.css';
import './base.css';
import './languages.css';

export function Root({ children }: { readonly children: ReactNode }) {
  return <div className="nori-root">{children}</div>;
}
