/** What happens on this device once the account is gone. */
import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

import { noticeMs, useNotices } from '#lib/notices';
import { paths } from '#lib/paths';
import { signOut } from '#lib/telegram-sign-in';

import { deletionTexts } from './texts.ts';

/**
 * Returns the way out: to Home, as a guest, with a notice. The session ends in the moment in which
 * the page goes: ended before, it would have led from here to the login.
 */
export function useFarewell(): () => void {
  const navigate = useNavigate();
  const isShown = useRef(false);
  const isLeaving = useRef(false);

  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      if (isLeaving.current) {
        signOut();
      }
    };
  }, []);

  return () => {
    useNotices.getState().show({
      id: 'account-deleted',
      tone: 'success',
      text: deletionTexts.deleted,
      durationMs: noticeMs.medium,
    });
    if (isShown.current) {
      isLeaving.current = true;
      void navigate(paths.home, { replace: true });
    } else {
      signOut();
    }
  };
}
