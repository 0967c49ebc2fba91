/** The credits: the providers, the author, and the open-source packages. */
import { ArrowUpRight, Megaphone } from 'lucide-react';

import { brand } from '#lib/brand';
import { useIsOperator } from '#lib/operator';
import { usePlatform } from '#lib/platform';
import { Card } from '#ui/card';
import { OutsideButton } from '#ui/outside-button';
import { Page, PageHeader } from '#ui/page';

import { parts } from './open-source.ts';

import styles from './credits.module.css';

const texts = {
  heading: 'Models',
  lead: `Whose models, data and open work ${brand.name} stands on.`,

  providersHeading: 'Providers',
  providersLead:
    'Each of them is independent of this app. The operator of this server decides which are connected.',
  providers: [
    { name: 'PixAI', href: 'https://pixai.art', use: 'Models and LoRAs for anime pictures' },
    { name: 'Kusa', href: 'https://kusa.pics', use: 'Styles to draw in' },
    { name: 'Imagine Art', href: 'https://www.imagine.art', use: 'Pictures in six styles' },
    { name: 'Midjourney', href: 'https://www.midjourney.com', use: 'Pictures in series' },
    { name: 'AniList', href: 'https://anilist.co', use: 'Facts about anime, manga and characters' },
    { name: 'Spotify', href: 'https://www.spotify.com', use: 'The song that is playing' },
    {
      name: 'Telegram',
      href: 'https://telegram.org',
      use: 'The chats, the bot, and this app’s home',
    },
  ],

  authorHeading: 'Author',
  author: (name: string) => `Made by ${name}.`,
  licence: `${brand.name} is free software under the MIT licence.`,
  updates: 'Updates channel',
  noUpdates: 'Not linked yet',
  /** For the operator alone. */
  setVariable: (variable: string) => `Set ${variable} to link this`,

  partsHeading: 'Open source',
  partsLead: 'Thank you to all who write, maintain and document these:',
  licenceText: (licence: string) => `${licence} licence`,
} as const;

export function CreditsScreen() {
  const platform = usePlatform();
  const isOperator = useIsOperator();
  return (
    <Page className={styles.screen}>
      <PageHeader heading={texts.heading} lead={texts.lead} />
      <Card title={texts.providersHeading}>
        <p className={styles.lead}>{texts.providersLead}</p>
        <ul className={styles.entries} aria-label={texts.providersHeading}>
          {texts.providers.map((provider) => (
            <Entry key={provider.name} {...provider} />
          ))}
        </ul>
      </Card>
      <Card title={texts.authorHeading} className={styles.author}>
        <div className={styles.made}>
          <p className={styles.by}>{texts.author(brand.author)}</p>
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
