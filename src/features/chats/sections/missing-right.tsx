/** Says which right the bot lacks for a part of the settings, and how it gets it. */
import { useQuery } from '@tanstack/react-query';

import { type Right } from '#contract/commands/command';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { useCapabilities } from '#lib/capabilities';
import { Notice } from '#ui/notice';

import { chatQueries } from '../queries.ts';
import { rightTexts as texts } from './right-texts.ts';

type MissingRightProps = { readonly chatId: string; readonly right: Right };

/** Nothing while the bot has the right, or is not in the chat, which the bar above says. */
export function MissingRight({ chatId, right }: MissingRightProps) {
  const isOffered = useCapabilities().has(chatActivity) === true;
  const { data: health } = useQuery({ ...chatQueries.health(chatId), enabled: isOffered });
  const isMissing = health?.is_in === true && health.rights?.includes(right) === false;

  return (
    <div aria-live="polite">
      {isMissing && (
        <Notice tone="warning" isInLiveRegion>
          {texts.missing(texts.names[right])}
        </Notice>
      )}
    </div>
  );
}
