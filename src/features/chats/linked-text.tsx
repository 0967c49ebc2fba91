/** A server's sentence, with the Telegram links in it made real. */
import { usePlatform } from '#lib/platform';

const telegramLink = /(https:\/\/t\.me\/[\w/+?=&%-]+)/;

export function LinkedText({ text }: { readonly text: string }) {
  const platform = usePlatform();
  return text.split(telegramLink).map((part, index) =>
    telegramLink.test(part) ? (
      <a
        // oxlint-disable-next-line react/no-array-index-key -- A part is its place in the sentence.
        key={index}
        href={part}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          event.preventDefault();
          platform.openTelegramLink(part);
        }}
      >
        {part}
      </a>
    ) : (
      part
    ),
  );
}
