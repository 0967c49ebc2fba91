/** Tells password managers whose password it is; nobody sees it. */
import { useSession } from '#lib/session';

export function UsernameForManagers() {
  const session = useSession();
  const telegramId = session.status === 'member' ? session.telegramId : undefined;
  return (
    <input
      type="text"
      name="username"
      autoComplete="username"
      value={telegramId ?? ''}
      readOnly
      hidden
    />
  );
}
