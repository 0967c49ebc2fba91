/** Draws an icon of lucide. The build replaces the package's own function by this one, which is 1 kB smaller. */
import { type ComponentProps, createElement } from 'react';

type IconData = {
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
};
type IconProps = ComponentProps<'svg'> & { readonly size?: number };

// oxlint-disable-next-line import/no-default-export -- The function that it replaces is one.
export default function createIcon({ node }: IconData) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon({ size = 24, ...props }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        {...props}
      >
        {shapes}
      </svg>
    );
  };
}
