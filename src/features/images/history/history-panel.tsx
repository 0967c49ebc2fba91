/** The user's generations by one provider: a gallery, and the dialogs that open from it. */
import { Download, Info, RefreshCw, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';

import { useCapabilities } from '#lib/capabilities';
import { useCopyText } from '#lib/copy-text';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button, IconButton } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { CopyButton } from '#ui/copy-button';
import { Dialog } from '#ui/dialog';
import { EmptyState } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { Spinner } from '#ui/spinner';

import { Lightbox } from '../lightbox/lightbox.tsx';
import {
  downloadPicture,
  notifyIfDownloadFailed,
  usePreparedDownload,
} from '../shared/download-picture.ts';
import { useHistory } from '../shared/history.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord, getRecordId, toPictures } from '../shared/records.ts';
import { DownloadLink, PictureFrame } from '../shared/result-panel.tsx';
import { ShareMenu } from '../shared/share-actions.tsx';
import { CardActionContext } from './history-card.tsx';
import { type GalleryHandle, type HistoryView } from './history-view.ts';
import { describeMoment } from './record-words.ts';
import { historyTexts } from './texts.ts';
import { type HistoryOverlays, useHistoryOverlays } from './use-history-overlays.ts';

import styles from './history-panel.module.css';

const { card: cardTexts, details: detailsTexts } = historyTexts;
const icon = { 'aria-hidden': true, size: 22 } as const;

type HistoryPanelProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  /** The form has been filled with the recipe of a picture. */
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
      {session.status === 'guest' && <LoginHint isLeft={session.formerId !== undefined} />}
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
      <Overlays adapter={adapter} view={view} overlays={overlays} />
    </section>
  );
}

/** `isLeft`: a session has ended by itself, and the pictures of its user are still on this device. */
function LoginHint({ isLeft }: { readonly isLeft: boolean }) {
  const { onlyHere, leftHere, logIn } = historyTexts;
  return (
    <p className={styles.hint}>
      {fillSlots(isLeft ? leftHere : onlyHere, { link: <Link to={paths.login}>{logIn}</Link> })}
    </p>
  );
}

type OverlaysProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  readonly overlays: HistoryOverlays;
};

function Overlays({ adapter, view, overlays }: OverlaysProps) {
  const { dialog, enlarged, closeDialog, onAction } = overlays;
  usePreparedDownload(enlarged);
  const { has } = useCapabilities();
  const { capability } = adapter.deletion;
  const isKept =
    dialog?.record.remoteId !== undefined && capability !== undefined && has(capability) !== true;
  const { question: usual, keptQuestion = usual } = view.deletion;
  const question = isKept ? keptQuestion : usual;
  return (
    <>
      {dialog?.kind === 'all' && (
        <AllImagesDialog
          adapter={adapter}
          record={dialog.record}
          onEnlarge={overlays.enlarge}
          onClose={closeDialog}
        />
      )}
      {enlarged && (
        <Lightbox
          pictures={overlays.pictures}
          shown={enlarged}
          onShow={overlays.enlarge}
          onClose={overlays.closeEnlarged}
          caption={view.caption(enlarged)}
          actions={
            <>
              <ShareMenu adapter={adapter} record={enlarged} />
              <IconButton
                label={cardTexts.download}
                icon={<Download {...icon} />}
                onClick={() => void notifyIfDownloadFailed(downloadPicture(adapter, enlarged))}
              />
              <IconButton
                label={cardTexts.info}
                icon={<Info {...icon} />}
                onClick={() => onAction('details', enlarged)}
              />
              <IconButton
                label={cardTexts.delete}
                icon={<Trash2 {...icon} />}
                onClick={() => onAction('delete', enlarged)}
              />
            </>
          }
        />
      )}
      {dialog?.kind === 'details' && (
        <DetailsDialog
          details={view.details}
          record={dialog.record}
          onClose={closeDialog}
          onUseAgain={() => onAction('use again', dialog.record)}
        />
      )}
      <ConfirmDialog
        isOpen={dialog?.kind === 'delete'}
        texts={{ ...historyTexts.delete, ...view.deletion, question }}
        kind="danger"
        onCancel={closeDialog}
        onConfirm={() => dialog && overlays.remove(dialog.record)}
      />
    </>
  );
}

type AllImagesDialogProps = {
  readonly adapter: ProviderAdapter;
  readonly record: GenerationRecord;
  readonly onEnlarge: (id: string) => void;
  readonly onClose: () => void;
};

/** All pictures of one generation. */
function AllImagesDialog({ adapter, record, onEnlarge, onClose }: AllImagesDialogProps) {
  return (
    <Dialog
      title={historyTexts.all.title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {detailsTexts.close}
        </Button>
      }
    >
      <ul className={styles.images}>
        {toPictures(record).map((picture, index) => (
          <li key={picture.id} className={styles.image}>
            <PictureFrame
              record={picture}
              name={historyTexts.all.name(index + 1)}
              onEnlarge={() => onEnlarge(picture.id)}
            />
            <div className={styles.row}>
              <time dateTime={new Date(record.timestamp).toISOString()}>
                {describeMoment(record.timestamp)}
              </time>
              <DownloadLink adapter={adapter} record={picture} />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type DetailsDialogProps = {
  readonly details: HistoryView['details'];
  readonly record: GenerationRecord;
  readonly onClose: () => void;
  readonly onUseAgain: () => void;
};

/** The recipe of a picture, to read and to copy. */
function DetailsDialog({ details, record, onClose, onUseAgain }: DetailsDialogProps) {
  const copyText = useCopyText();
  return (
    <Dialog
      title={details.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {detailsTexts.close}
          </Button>
          <Button onClick={onUseAgain}>{detailsTexts.reuse}</Button>
        </>
      }
    >
      <dl className={styles.facts}>
        {details
          .facts(record)
          .filter(({ text }) => text.trim() !== '')
          .map(({ name, text, isCopied = false }) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>{text}</dd>
              {isCopied && (
                <dd className={styles.action}>
                  <CopyButton label={detailsTexts.copy(name)} copy={() => copyText(text)} />
                </dd>
              )}
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
