/** The logo of Nori: an onigiri as a chat bubble. Our own drawing. */

/** Decorative: the name is beside it. */
export function Logo({ className }: { readonly className?: string | undefined }) {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true" className={className}>
      <path
        fill="#0b7a5c"
        d="M32 3c4.6 0 8.8 2.4 11.1 6.4l17 29.4C64.8 47 58.9 57 49.5 57H30.5l-11.7 6.1c-1.8 1-4-.4-3.9-2.5l.2-3.6C5.6 57-.8 47 3.9 38.8l17-29.4C23.2 5.4 27.4 3 32 3Z"
      />
      <path
        fill="#fffdf7"
        d="M32 10c2.3 0 4.4 1.2 5.5 3.2l16.6 28.7c2.5 4.3-.6 9.6-5.5 9.6H15.4c-4.9 0-8-5.3-5.5-9.6l16.6-28.7C27.6 11.2 29.7 10 32 10Z"
      />
      <path fill="#0f3d31" d="M20 41.5a4 4 0 0 1 4-4h16a4 4 0 0 1 4 4v10H20Z" />
      <circle cx="25.5" cy="29" r="2.4" fill="#14211c" />
      <circle cx="38.5" cy="29" r="2.4" fill="#14211c" />
      <path
        d="M29.2 31.8c1.7 1.9 3.9 1.9 5.6 0"
        fill="none"
        stroke="#14211c"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <ellipse cx="21.6" cy="33" rx="2.6" ry="1.6" fill="#ff86ae" />
      <ellipse cx="42.4" cy="33" rx="2.6" ry="1.6" fill="#ff86ae" />
    </svg>
  );
}
