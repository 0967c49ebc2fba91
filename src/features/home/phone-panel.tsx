/** On a desk: a code that a phone's camera opens the bot with. Until the bot is known, the mark of Nori. */
import { useEffect, useState } from 'react';

import { usePlatform } from '#lib/platform';
import { Logo } from '#ui/logo';

import { texts } from './texts.ts';

import styles from './phone-panel.module.css';

/** The style sheet hides the panel elsewhere, by the same rule. */
const desk = '(hover: hover) and (pointer: fine) and (width >= 768px)';

type QrCode = { readonly href: string; readonly size: number; readonly path: string };

export function PhonePanel({ href }: { readonly href: string | undefined }) {
  const code = useQrCode(href);

  return (
    <div className={styles.panel}>
      {code === undefined ? (
        <Logo className={styles.mark} />
      ) : (
        <figure className={styles.figure}>
          <svg
            role="img"
            aria-label={texts.telegram.qrCode(code.href)}
            viewBox={`0 0 ${code.size} ${code.size}`}
            className={styles.code}
          >
            <path d={code.path} />
          </svg>
          <figcaption>
            <strong>{texts.telegram.scan}</strong>
            {texts.telegram.scanHint}
          </figcaption>
        </figure>
      )}
    </div>
  );
}

/** The code for an address. It is drawn, and what draws it loaded, only where a camera may see it. */
function useQrCode(href: string | undefined): QrCode | undefined {
  const { container } = usePlatform();
  const wanted = container === 'web' ? href : undefined;
  const [code, setCode] = useState<QrCode>();

  useEffect(() => {
    if (wanted !== undefined && window.matchMedia(desk).matches) {
      import('./qr-code.ts').then(
        ({ drawQrCode }) => setCode({ href: wanted, ...drawQrCode(wanted) }),
        // The links beside it lead to the same place.
        () => undefined,
      );
    }
  }, [wanted]);

  return code?.href === wanted ? code : undefined;
}
