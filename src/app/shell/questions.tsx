/** The dialogs that the shell asks questions with. Loaded when there is a question. */
import { useNavigate } from 'react-router-dom';

import { logout } from '#contract/endpoints/session';
import { send } from '#lib/api';
import { beforeLogout, cancelLogout, useLogoutQuestion } from '#lib/logout';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { usePopups } from '#lib/popup';
import { getSession } from '#lib/session';
import { signOut } from '#lib/telegram-sign-in';
import { AnswerButton, ConfirmDialog } from '#ui/confirm-dialog';
import { Dialog } from '#ui/dialog';

import { laterTexts } from './later-texts.ts';
import { texts } from './texts.ts';

export function Questions() {
  return (
    <>
      <LogoutDialog />
      <PopupDialog />
    </>
  );
}

const logoutTexts = { ...laterTexts.logout, confirm: texts.logout } as const;

function LogoutDialog() {
  const isOpen = useLogoutQuestion((state) => state.isOpen);
  const navigate = useNavigate();
  const platform = usePlatform();

  const confirm = () => {
    cancelLogout();
    platform.haptic('success');
    logOut();
    void navigate(paths.login);
  };

  return (
    <ConfirmDialog
      isOpen={isOpen}
      texts={logoutTexts}
      kind="danger"
      onCancel={cancelLogout}
      onConfirm={confirm}
    />
  );
}

/** The server is told no later than this, whatever is still being sent. */
const maxWaitMs = 3000;

/** Logs out on the device and on the server. Works on the device even when the server cannot be reached. */
function logOut(): void {
  const session = getSession();
  const waits = [...beforeLogout].map((run) => run());
  signOut();
  if (session.status === 'member') {
    void tellServer(session.token, waits);
  }
}

async function tellServer(token: string, waits: readonly Promise<unknown>[]): Promise<void> {
  if (waits.length > 0) {
    const tooLong = new Promise((resolve) => {
      setTimeout(resolve, maxWaitMs);
    });
    await Promise.race([Promise.allSettled(waits), tooLong]);
  }
  // Without an answer the session ends by itself.
  await send(logout, {}, { token, signal: undefined }).catch(() => undefined);
}

const buttonKinds = { default: 'primary', cancel: 'quiet', destructive: 'danger' } as const;

/** Shows the platform's popups where the container has none of its own. */
function PopupDialog() {
  const question = usePopups((state) => state.questions[0]);
  return (
    question && (
      <Dialog
        key={question.id}
        title={question.title}
        isOpen
        isQuestion
        onClose={() => question.answer()}
        actions={question.buttons.map(({ id, text, kind }) => (
          <AnswerButton
            key={id}
            kind={buttonKinds[kind ?? 'default']}
            onClick={() => question.answer(id)}
          >
            {text}
          </AnswerButton>
        ))}
      >
        <p>{question.message}</p>
      </Dialog>
    )
  );
}
