/** A message of the server in which Telegram links can be pressed. */
import { usePlatform } from '#lib/platform';

const telegramLink = /(https:\/\/t\.me\/[\w/+?=&%-]+)/;

export function LinkedText({ text }: { readonly text: string }) {
  const platform = usePlatform();
  return text.split(telegramLink).map((part, index) =>
    telegramLink.test(part) ? (
      <a
        // oxlint-disable-next-line react/no-array-index-key -- A part has no other identity than its position.
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
