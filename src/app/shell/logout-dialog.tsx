/** Asks before logging out. */
import { useNavigate } from 'react-router-dom';

import { cancelLogout, useLogoutQuestion } from '#lib/logout';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { logOut } from '../session-policy.ts';
import { laterTexts } from './later-texts.ts';
import { texts } from './texts.ts';

export function LogoutDialog() {
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
    <Dialog
      title={laterTexts.confirmLogout}
      isOpen={isOpen}
      onClose={cancelLogout}
      actions={
        <>
          <Button kind="quiet" onClick={cancelLogout}>
            {laterTexts.cancel}
          </Button>
          <Button kind="danger" onClick={confirm}>
            {texts.logout}
          </Button>
        </>
      }
    >
      <p>{laterTexts.confirmLogoutText}</p>
    </Dialog>
  );
}
