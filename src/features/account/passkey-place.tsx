/** The place of the login by passkey, which is loaded after the login screen. It has its room from the start. */
import { type ComponentType, useEffect, useState } from 'react';

import styles from './account.module.css';

export function PasskeyPlace() {
  const [Part, setPart] = useState<ComponentType>();

  useEffect(() => {
    import('./passkey-login.tsx').then(
      ({ PasskeyLogin }) => setPart(() => PasskeyLogin),
      // The password logs in without it, too.
      () => undefined,
    );
  }, []);

  return <div className={styles.passkey}>{Part && <Part />}</div>;
}
