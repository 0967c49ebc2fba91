/** Credits: whose models and data are used, who made the product, and the open-source parts it stands on. */
import { ArrowUpRight, Megaphone } from 'lucide-react';

import { brand } from '#lib/brand';
import { usePlatform } from '#lib/platform';
import { Card } from '#ui/card';
import { OutsideButton } from '#ui/outside-button';
import { Page, PageHeader } from '#ui/page';

import { creditsTexts as texts } from './credits-texts.ts';
import { parts } from './open-source.ts';

import styles from './credits.module.css';

export function CreditsScreen() {
  const platform = usePlatform();
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
          reason={texts.notSet(brand.updates.variable)}
          icon={<Megaphone aria-hidden size={20} />}
          onOpen={(href) => platform.openTelegramLink(href)}
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
