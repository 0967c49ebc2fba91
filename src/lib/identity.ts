/** The question whether the app belongs to another user of Telegram from now on. Loaded when there is one. */
import { identityTexts } from './launch-texts.ts';
import { type LaunchData } from './launch.ts';
import { type Platform } from './platform.ts';
import { forgetFormerUser, getSession, restoreSession } from './session.ts';
import { signInWithTelegram } from './telegram-sign-in.ts';

/** So that a question with it fits a popup of Telegram's. */
const maxNameLength = 32;

/**
 * Asks before one user is replaced by another: anyone can make a link that opens the app as they. Until it is
 * answered, neither is logged in.
 */
export async function decideIdentity(
  formerId: string,
  { platform, data }: { readonly platform: Platform; readonly data: LaunchData },
): Promise<void> {
  const name = (data.firstName ?? identityTexts.nameless(data.telegramId ?? '')).slice(
    0,
    maxNameLength,
  );
  const answer = await platform.popup({
    title: identityTexts.title,
    message: identityTexts.question(formerId, name),
    buttons: [
      // Of its own kind, Telegram would name it itself.
      { id: 'stay', text: identityTexts.stay },
      { id: 'goOn', text: identityTexts.goOn(name), kind: 'destructive' },
    ],
  });
  // Another tab may have decided meanwhile.
  if (getSession().status !== 'unknown') {
    return;
  }
  if (answer === 'goOn') {
    forgetFormerUser();
    await signInWithTelegram();
  } else {
    restoreSession();
  }
}
