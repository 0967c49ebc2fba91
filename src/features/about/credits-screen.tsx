/** The credits: the providers, the author, and the open-source packages. */
import { ArrowUpRight, Megaphone } from 'lucide-react';

import { brand } from '#lib/brand';
import { useIsOperator } from '#lib/operator';
import { usePlatform } from '#lib/platform';
import { Card } from '#ui/card';
import { OutsideButton } from '#ui/outside-button';
import { Page, PageHeader } from '#ui/page';

import { creditsTexts as texts } from './credits-texts.ts';
import { parts } from './open-source.ts';

import styles from './credits.module.css';

const providers = [
  { name: 'PixAI', href: 'https://pixai.art', use: texts.providers.pixai },
  { name: 'Kusa', href: 'https://kusa.pics', use: texts.providers.kusa },
  { name: 'Imagine Art', href: 'https://www.imagine.art', use: texts.providers.imagineArt },
  { name: 'Midjourney', href: 'https://www.midjourney.com', use: texts.providers.midjourney },
  { name: 'AniList', href: 'https://anilist.co', use: texts.providers.anilist },
  { name: 'Spotify', href: 'https://www.spotify.com', use: texts.providers.spotify },
  {
    name: 'LibreTranslate',
    href: 'https://libretranslate.com',
    use: texts.providers.translation,
  },
  { name: 'MyMemory', href: 'https://mymemory.translated.net', use: texts.providers.translation },
  { name: 'Wikipedia', href: 'https://www.wikipedia.org', use: texts.providers.wikimedia },
  { name: 'Wiktionary', href: 'https://www.wiktionary.org', use: texts.providers.wikimedia },
  { name: 'Open-Meteo', href: 'https://open-meteo.com', use: texts.providers.openMeteo },
  { name: 'Telegram', href: 'https://telegram.org', use: texts.providers.telegram },
] as const;

export function CreditsScreen() {
  const platform = usePlatform();
  const isOperator = useIsOperator();
  return (
    <Page className={styles.screen}>
      <PageHeader heading={texts.heading} lead={texts.lead} />
      <Card title={texts.providersHeading}>
        <p className={styles.lead}>{texts.providersLead}</p>
        <ul className={styles.entries} aria-label={texts.providersHeading}>
          {providers.map((provider) => (
            <Entry key={provider.name} {...provider} />
          ))}
        </ul>
      </Card>
      <Card title={texts.authorHeading} className={styles.author}>
        <div className={styles.made}>
          <p className={styles.by}>
            {brand.author === undefined ? texts.contributors : texts.author(brand.author)}
          </p>
          <p className={styles.lead}>{texts.licence}</p>
        </div>
        <OutsideButton
          kind="primary"
          href={brand.updates.href}
          reason={isOperator ? texts.setVariable(brand.updates.variable) : texts.noUpdates}
          icon={<Megaphone aria-hidden size={20} />}
          onOpen={platform.openTelegramLink}
        >
          {texts.updates}
        </OutsideButton>
      </Card>
      <Card title={texts.partsHeading}>
        <p className={styles.lead}>{texts.partsLead}</p>
        <ul className={styles.entries} aria-label={texts.partsHeading}>
          {parts.map(({ name, href, use, licence }) => (
            <Entry
              key={name}
              name={name}
              href={href}
              use={use}
              remark={texts.licenceText(licence)}
            />
          ))}
        </ul>
      </Card>
    </Page>
  );
}

type EntryProps = {
  readonly name: string;
  readonly href: string;
  readonly use: string;
  readonly remark?: string;
};

function Entry({ name, href, use, remark }: EntryProps) {
  const platform = usePlatform();
  return (
    <li className={styles.entry}>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className={styles.name}
        onClick={(event) => {
          event.preventDefault();
          platform.openLink(href);
        }}
      >
        {name}
        <ArrowUpRight aria-hidden size={16} />
      </a>
      <span className={styles.use}>{use}</span>
      {remark !== undefined && <span className={styles.remark}>{remark}</span>}
    </li>
  );
}
