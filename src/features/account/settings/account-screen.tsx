/** The page of the account: where it is logged in, its password, and its end. */
import { useQuery } from '@tanstack/react-query';

import { ApiError } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { ButtonLink } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Page } from '#ui/page';
import { Skeleton } from '#ui/skeleton';

import { DeletionSection } from './deletion-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { sessionQueries } from './queries.ts';
import { SessionSection } from './session-section.tsx';
import { settingsTexts as texts } from './texts.ts';

import styles from './settings.module.css';

export function AccountScreen() {
  const session = useSession();
  return (
    <Page className={styles.screen}>
      <header>
        <h1 tabIndex={-1}>{texts.title}</h1>
        {session.status === 'member' && session.telegramId !== undefined && (
          <p className={styles.who}>{texts.who(session.telegramId)}</p>
        )}
      </header>
      <Content />
    </Page>
  );
}

function Content() {
  const isOffered = useCapabilities().has('auth.sessions');
  const list = useQuery({ ...sessionQueries.list(), enabled: isOffered !== false });
  const isMissing = list.error instanceof ApiError && list.error.status === 404;

  if (isOffered === false || isMissing) {
    return (
      <EmptyState
        mood="sleepy"
        title={texts.notOffered}
        action={
          <ButtonLink kind="primary" to={paths.dashboard}>
            {texts.back}
          </ButtonLink>
        }
      />
    );
  }
  if (isOffered === undefined && list.isPending) {
    return <Skeleton shape="sections" label={texts.loading} />;
  }
  return (
    <>
      <SessionSection list={list} />
      <PasswordSection />
      <DeletionSection />
    </>
  );
}
