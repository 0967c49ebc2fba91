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
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { getRecordId } from '../shared/records.ts';
import { CardActionContext } from './card-actions.ts';
import { HistoryOverlays } from './history-overlays.tsx';
import { type GalleryHandle, type HistoryView } from './history-view.ts';
import { historyTexts } from './texts.ts';
import { useHistoryOverlays } from './use-history-overlays.ts';

import styles from './history-panel.module.css';

type HistoryPanelProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  /** Everything of a picture has been taken over into the form: the place to go to. */
  readonly onUsedAgain: () => void;
};

export function HistoryPanel({ adapter, view, onUsedAgain }: HistoryPanelProps) {
  const session = useSession();
  const { records, status, isRefreshing, refresh } = useHistory(adapter);
  const heading = useRef<HTMLHeadingElement>(null);
  const gallery = useRef<GalleryHandle>(null);
  const overlays = useHistoryOverlays({ adapter, view, records, gallery, heading, onUsedAgain });
  const isLoading = status === 'loading' || session.status === 'unknown';

  return (
    <section className={styles.panel} aria-labelledby="history-heading">
      <div className={styles.header}>
        <h2 id="history-heading" ref={heading} tabIndex={-1}>
          {view.heading}
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
      {!isLoading && records.length === 0 && <EmptyState mood="happy" title={view.empty} />}
      {!isLoading && records.length > 0 && (
        <CardActionContext value={overlays.onAction}>
          <div className={styles.gallery}>
            <view.Gallery
              ref={(handle) => {
                gallery.current = handle;
              }}
              records={records}
              keptId={overlays.enlarged && getRecordId(overlays.enlarged.id)}
            />
          </div>
        </CardActionContext>
      )}
      <HistoryOverlays adapter={adapter} view={view} overlays={overlays} />
    </section>
  );
}
