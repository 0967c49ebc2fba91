/** The pictures a person has made with a provider: a gallery, and what opens from it. */
import { RefreshCw } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';

import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Spinner } from '#ui/spinner';

import { useHistory } from '../shared/history.ts';
import { type ProviderKit } from '../shared/provider-kit.ts';
import { recordIdOf } from '../shared/records.ts';
import { CardWishesContext } from './card-wishes.ts';
import { type GalleryHandle, type HistoryLook } from './history-look.ts';
import { HistoryOverlays } from './history-overlays.tsx';
import { historyTexts } from './texts.ts';
import { useHistoryView } from './use-history-view.ts';

import styles from './history-panel.module.css';

type HistoryPanelProps = {
  readonly kit: ProviderKit;
  readonly look: HistoryLook;
  /** Everything of a picture has been taken over into the form: the place to go to. */
  readonly onUsedAgain: () => void;
};

export function HistoryPanel({ kit, look, onUsedAgain }: HistoryPanelProps) {
  const session = useSession();
  const { records, status, isRefreshing, refresh } = useHistory(kit);
  const heading = useRef<HTMLHeadingElement>(null);
  const gallery = useRef<GalleryHandle>(null);
  const view = useHistoryView({ kit, look, records, gallery, heading, onUsedAgain });
  const isLoading = status === 'loading' || session.status === 'unknown';

  return (
    <section className={styles.panel} aria-labelledby="history-heading">
      <div className={styles.header}>
        <h2 id="history-heading" ref={heading} tabIndex={-1}>
          {look.heading}
        </h2>
        <Button
          kind="quiet"
          icon={<RefreshCw aria-hidden size={18} />}
          isBusy={isRefreshing && !isLoading}
          onClick={() => void refresh()}
        >
          {historyTexts.refresh}
        </Button>
      </div>
      {session.status === 'guest' && (
        <p className={styles.hint}>
          {historyTexts.onlyHere} <Link to={paths.login}>{historyTexts.logIn}</Link>{' '}
          {historyTexts.logInGain}
        </p>
      )}
      {isLoading && (
        <div className={styles.loading}>
          <Spinner label={historyTexts.loading} />
        </div>
      )}
      {!isLoading && records.length === 0 && <EmptyState mood="happy" title={look.empty} />}
      {!isLoading && records.length > 0 && (
        <CardWishesContext value={view.grant}>
          <div className={styles.gallery}>
            <look.Gallery
              ref={(handle) => {
                gallery.current = handle;
              }}
              records={records}
              keptId={view.enlarged && recordIdOf(view.enlarged.id)}
            />
          </div>
        </CardWishesContext>
      )}
      <HistoryOverlays kit={kit} look={look} view={view} />
    </section>
  );
}
