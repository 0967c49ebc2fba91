/** The mascot: an onigiri with four faces. Our own drawings. */
import { type ReactNode } from 'react';

export type Mood = 'happy' | 'sleepy' | 'surprised' | 'winking';

const ink = '#14211c';

const faces: Record<Mood, ReactNode> = {
  happy: (
    <>
      <circle cx="25" cy="28.5" r="2.3" fill={ink} />
      <circle cx="39" cy="28.5" r="2.3" fill={ink} />
      <circle cx="25.8" cy="27.7" r=".7" fill="#fff" />
      <circle cx="39.8" cy="27.7" r=".7" fill="#fff" />
      <path
        d="M29 31.5c1.8 2 4.2 2 6 0"
        fill="none"
        stroke={ink}
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </>
  ),
  sleepy: (
    <g fill="none" stroke={ink} strokeWidth="1.7" strokeLinecap="round">
      <path d="M22.5 28c1.4 1.7 3.6 1.7 5 0M36.5 28c1.4 1.7 3.6 1.7 5 0M30 32.4h4" />
    </g>
  ),
  surprised: (
    <>
      <circle cx="25" cy="28" r="2.8" fill={ink} />
      <circle cx="39" cy="28" r="2.8" fill={ink} />
      <circle cx="26" cy="27" r=".9" fill="#fff" />
      <circle cx="40" cy="27" r=".9" fill="#fff" />
      <ellipse cx="32" cy="33" rx="1.7" ry="2.1" fill={ink} />
    </>
  ),
  winking: (
    <>
      <path
        d="M22.5 28.6c1.5-1.8 3.5-1.8 5 0"
        fill="none"
        stroke={ink}
        strokeWidth="1.7"
        strokeLinecap="round"
      />
      <circle cx="39" cy="28.5" r="2.3" fill={ink} />
      <circle cx="39.8" cy="27.7" r=".7" fill="#fff" />
      <path
        d="M28.5 31.2c2 2.8 5 2.8 7 0"
        fill="none"
        stroke={ink}
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </>
  ),
};

type MascotProps = { readonly mood?: Mood; readonly className?: string | undefined };

/** Decorative: the text beside it says the same. */
export function Mascot({ mood = 'happy', className }: MascotProps) {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true" className={className}>
      <path
        fill="#fffdf7"
        d="M32 6c2.9 0 5.6 1.5 7 4l19.2 33.3c3.1 5.4-.8 12.2-7 12.2H12.8c-6.2 0-10.1-6.8-7-12.2L25 10c1.4-2.5 4.1-4 7-4Z"
      />
      <path
        fill="#e9e6da"
        d="M58.2 43.3c3.1 5.4-.8 12.2-7 12.2H12.8c-3 0-5.5-1.6-6.9-3.9 1.3.9 2.9 1.4 4.7 1.4h38.4c6.2 0 9.6-4.6 7.8-12Z"
      />
      <path fill="#0f3d31" d="M19 42a4.5 4.5 0 0 1 4.5-4.5h17A4.5 4.5 0 0 1 45 42v13.5H19Z" />
      <path
        fill="#14584a"
        opacity=".7"
        d="M19 42a4.5 4.5 0 0 1 4.5-4.5h17A4.5 4.5 0 0 1 45 42v2H19Z"
      />
      {faces[mood]}
      <g fill="#ff86ae" opacity=".85">
        <ellipse cx="20.8" cy="32.5" rx="2.7" ry="1.6" />
        <ellipse cx="43.2" cy="32.5" rx="2.7" ry="1.6" />
      </g>
    </svg>
  );
}
