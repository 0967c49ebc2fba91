/** What opens above the history: the enlarged picture, all of a wish, details, and the question before deleting. */
import { Download, Info, Trash2 } from 'lucide-react';

import { IconButton } from '#ui/button';

import { Lightbox } from '../lightbox/lightbox.tsx';
import { downloadPicture } from '../shared/download-picture.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { notifyIfDownloadFailed } from '../shared/say-unless-saved.ts';
import { AllImagesDialog } from './all-images-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { type HistoryView } from './history-view.ts';
import { historyTexts } from './texts.ts';
import { type OpenOverlays } from './use-history-overlays.ts';

type HistoryOverlaysProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  readonly overlays: OpenOverlays;
};

const { card: texts } = historyTexts;
const icon = { 'aria-hidden': true, size: 22 } as const;

export function HistoryOverlays({ adapter, view, overlays }: HistoryOverlaysProps) {
  const { asked, enlarged } = overlays;
  return (
    <>
      {asked?.kind === 'all' && (
        <AllImagesDialog
          adapter={adapter}
          record={asked.record}
          onEnlarge={overlays.enlarge}
          onClose={overlays.closeAsked}
        />
      )}
      {enlarged && (
        <Enlarged adapter={adapter} view={view} overlays={overlays} picture={enlarged} />
      )}
      {asked?.kind === 'details' && (
        <DetailsDialog
          title={view.details.title}
          facts={view.details.facts(asked.record)}
          onClose={overlays.closeAsked}
          onUseAgain={() => overlays.onAction('use again', asked.record)}
        />
      )}
      <DeleteDialog
        isOpen={asked?.kind === 'delete'}
        question={view.deletion}
        onClose={overlays.closeAsked}
        onDelete={() => asked && overlays.remove(asked.record)}
      />
    </>
  );
}

function Enlarged({
  adapter,
  view,
  overlays,
  picture,
}: HistoryOverlaysProps & { readonly picture: GenerationRecord }) {
  return (
    <Lightbox
      pictures={overlays.pictures}
      shown={picture}
      onShow={overlays.enlarge}
      onClose={overlays.closeEnlarged}
      caption={view.caption(picture)}
      actions={
        <>
          <IconButton
            label={texts.download}
            icon={<Download {...icon} />}
            onClick={() => void notifyIfDownloadFailed(downloadPicture(adapter, picture))}
          />
          <IconButton
            label={texts.info}
            icon={<Info {...icon} />}
            onClick={() => overlays.onAction('details', picture)}
          />
          <IconButton
            label={texts.delete}
            icon={<Trash2 {...icon} />}
            onClick={() => overlays.onAction('delete', picture)}
          />
        </>
      }
    />
  );
}
