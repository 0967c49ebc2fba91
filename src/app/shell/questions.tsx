/** The dialogs that the shell asks questions with. Loaded when there is a question. */
import { useNavigate } from 'react-router-dom';

import { cancelLogout, useLogoutQuestion } from '#lib/logout';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { usePopups } from '#lib/popup';
import { Button } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { Dialog } from '#ui/dialog';

import { logOut } from '../session-policy.ts';
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
        onClose={() => question.answer()}
        actions={question.buttons.map(({ id, text, kind }) => (
          <Button
            key={id}
            kind={buttonKinds[kind ?? 'default']}
            onClick={() => question.answer(id)}
          >
            {text}
          </Button>
        ))}
      >
        <p>{question.message}</p>
      </Dialog>
    )
  );
}
