/** Takes one change of the history back, after asking, and says what came of it. */
import { type QueryClient } from '@tanstack/react-query';

import { type Change } from '#contract/endpoints/chat-changes';
import { ApiError, errorText } from '#lib/api';
import { type Platform } from '#lib/platform';

import { reportFailedWrite, showFailure, showInfo } from '../failed-writes.ts';
import { isNotManaged } from '../queries.ts';
import { offerUndo, takeBack } from '../settings/take-back.ts';
import { changesOf } from './queries.ts';
import { historyTexts } from './texts.ts';

const texts = historyTexts.revert;

type Reverting = {
  readonly chatId: string;
  readonly change: Change;
  /** It was meant. Not before: the question gives the focus back, which a busy button cannot take. */
  readonly onBegin: () => void;
};

/** Resolves when it is over, well or not: whatever happened has been said. */
export async function askToRevert(
  { client, platform }: { readonly client: QueryClient; readonly platform: Platform },
  { chatId, change, onBegin }: Reverting,
): Promise<void> {
  const count = change.items.length;
  platform.haptic('warning');
  const answer = await platform.popup({
    title: texts.title,
    message: texts.question(count),
    buttons: [
      { id: 'cancel', text: texts.cancel, kind: 'cancel' },
      { id: 'revert', text: texts.confirm, kind: 'destructive' },
    ],
  });
  if (answer !== 'revert') {
    return;
  }
  onBegin();
  try {
    const { change: reverting, skipped } = await takeBack(client, { chatId, change }, 'revert');
    platform.haptic('success');
    if (reverting) {
      offerUndo(client, [{ chatId, change: reverting }], (reverted) =>
        skipped === 0 ? texts.done(reverted) : texts.doneBut(reverted, skipped),
      );
    } else {
      showInfo('reverted', texts.nothing);
    }
  } catch (error) {
    fail(chatId, error, platform);
  }
  await client.invalidateQueries(changesOf(chatId));
}

/** A lost chat and a lost session are said elsewhere. */
function fail(chatId: string, error: unknown, platform: Platform): void {
  const isLost = isNotManaged(error);
  if (isLost || (error instanceof ApiError && error.status === 401)) {
    reportFailedWrite({ chatId, error, isLost });
    return;
  }
  platform.haptic('error');
  showFailure('revert-failed', errorText(error, texts.failed));
}
