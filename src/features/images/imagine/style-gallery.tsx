/** An example picture of each style of Imagine Art, with a button that chooses it. */
import { Check } from 'lucide-react';

import { type ImagineStyle, imagineStyles } from '#contract/images/imagine-styles';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';

import { changeDraft, useDraft } from './draft.ts';
import anime from './previews/anime.webp';
import fluxDev from './previews/flux-dev.webp';
import fluxSchnell from './previews/flux-schnell.webp';
import imagineTurbo from './previews/imagine-turbo.webp';
import realistic from './previews/realistic.webp';
import sdxl from './previews/sdxl-1.0.webp';
import { imagineTexts } from './texts.ts';

import styles from './imagine.module.css';

const { gallery: texts, styles: words } = imagineTexts;

/** Drawn by scripts/style-pictures.ts. */
const pictures: Readonly<Record<ImagineStyle, string>> = {
  anime,
  'flux-dev': fluxDev,
  'flux-schnell': fluxSchnell,
  'imagine-turbo': imagineTurbo,
  realistic,
  'sdxl-1.0': sdxl,
};
const size = { width: 640, height: 480 } as const;

type StyleGalleryProps = {
  /** A style has been put into the form. */
  readonly onChosen: () => void;
};

export function StyleGallery({ onChosen }: StyleGalleryProps) {
  return (
    <section className={styles.gallery} aria-labelledby="style-gallery-heading">
      <h2 id="style-gallery-heading">{texts.heading}</h2>
      <p className={styles.lead}>{texts.lead}</p>
      <ul className={styles.list}>
        {imagineStyles.map((style) => (
          <StyleCard key={style} style={style} onChosen={onChosen} />
        ))}
      </ul>
    </section>
  );
}

function StyleCard({ style, onChosen }: StyleGalleryProps & { readonly style: ImagineStyle }) {
  const platform = usePlatform();
  const isUsed = useDraft((draft) => draft.style === style);
  const { title, tags, description } = words[style];

  return (
    <li className={styles.card}>
      <img
        {...size}
        src={pictures[style]}
        alt={texts.alt(title)}
        loading="lazy"
        decoding="async"
        className={styles.picture}
      />
      <div className={styles.words}>
        <h3>{title}</h3>
        <ul className={styles.tags} aria-label={texts.tags}>
          {tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
        <p className={styles.description}>{description}</p>
        <Button
          kind={isUsed ? 'quiet' : 'plain'}
          icon={isUsed && <Check aria-hidden size={18} />}
          aria-label={isUsed ? undefined : texts.chooseStyle(title)}
          aria-pressed={isUsed}
          onClick={() => {
            platform.haptic('selection');
            changeDraft({ style });
            onChosen();
          }}
        >
          {isUsed ? texts.chosen : texts.choose}
        </Button>
      </div>
    </li>
  );
}
