/** How a command is used, and the ways to try it. */
import { LayoutDashboard, Send } from 'lucide-react';
import { Fragment } from 'react';

import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { ButtonLink } from '#ui/button';
import { OutsideButton } from '#ui/outside-button';

import { type Command } from './catalogue/index.ts';
import { texts } from './texts.ts';

import styles from './commands.module.css';

/** What the catalogue writes for the bot's own name. */
const botName = '@bot';
/** The command that is about what the dashboard shows. */
const dashboardCommand = 'status';

export function CommandUsage({ command }: { readonly command: Command }) {
  const platform = usePlatform();
  const { href, isKnown } = useBotLink();
  const name = href === undefined ? botName : `@${href.slice(href.lastIndexOf('/') + 1)}`;
  const lines = command.usage.split('\n').map((line) => line.replaceAll(botName, name));

  return (
    <div className={styles.usage}>
      <h4 className={styles.how}>{texts.howToUse}</h4>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line}>
            <Line text={line} name={name} />
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        {command.id === dashboardCommand && (
          <ButtonLink to={paths.dashboard} icon={<LayoutDashboard aria-hidden size={18} />}>
            {texts.dashboard}
          </ButtonLink>
        )}
        <OutsideButton
          href={href && `${href}?text=${encodeURIComponent(toDraft(lines))}`}
          reason={isKnown ? texts.noBot(brand.bot.variable) : ''}
          icon={<Send aria-hidden size={18} />}
          onOpen={(address) => platform.openTelegramLink(address)}
        >
          {texts.tryIt}
        </OutsideButton>
      </div>
    </div>
  );
}

/** A line of text in which commands and the bot's name stand out. */
function Line({ text, name }: { readonly text: string; readonly name: string }) {
  return text.split(' ').map((word, index) => {
    const isCode = /^\/\w/.test(word) || word === name;
    return (
      // oxlint-disable-next-line react/no-array-index-key -- A word is its place in the line.
      <Fragment key={index}>
        {index > 0 && ' '}
        {isCode ? <code className={styles.code}>{word}</code> : word}
      </Fragment>
    );
  });
}

/** What is ready to be sent: the bare command, or the whole of a query that begins with the bot's name. */
function toDraft([first = '']: readonly string[]): string {
  return /^\/\w+/.exec(first)?.[0] ?? first;
}
