/** One part of the page: a card whose heading can take the focus. */
import { type ReactNode, type Ref } from 'react';

import { Card } from '#ui/card';

type SectionProps = {
  readonly title: string;
  readonly headingRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
};

export function Section({ title, headingRef, children }: SectionProps) {
  return (
    <Card>
      <h2 ref={headingRef} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </Card>
  );
}
