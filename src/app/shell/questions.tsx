/** The questions the shell asks: before logging out, and those of the platform. */
import { LogoutDialog } from './logout-dialog.tsx';
import { PopupHost } from './popup-host.tsx';

export function Questions() {
  return (
    <>
      <LogoutDialog />
      <PopupHost />
    </>
  );
}
