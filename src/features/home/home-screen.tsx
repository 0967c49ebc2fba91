/** The first page: what Nori is, what it is used for, and the ways in. */
import { CreateAccount } from './create-account.tsx';
import { Hero } from './hero.tsx';
import { InTelegram } from './in-telegram.tsx';
import { Work } from './work.tsx';

import styles from './home-screen.module.css';

export function HomeScreen() {
  return (
    <div className={styles.home}>
      <Hero />
      <Work />
      <InTelegram />
      <CreateAccount />
    </div>
  );
}
