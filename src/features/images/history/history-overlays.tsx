/** What opens above the history: the enlarged picture, all of a wish, details, and the question before deleting. */
import { Download, Info, Trash2 } from 'lucide-react';

import { IconButton } from '#ui/button';

import { PicturesLightbox } from '../lightbox/pictures-lightbox.tsx';
import { downloadPicture } from '../shared/download-picture.ts';
import { type ProviderKit } from '../shared/provider-kit.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { sayUnlessSaved } from '../shared/say-unless-saved.ts';
import { AllImagesDialog } from './all-images-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { type HistoryLook } from './history-look.ts';
import { historyTexts } from './texts.ts';
import { type HistoryView } from './use-history-view.ts';

type HistoryOverlaysProps = {
  readonly kit: ProviderKit;
  readonly look: HistoryLook;
  readonly view: HistoryView;
};

const { card: texts } = historyTexts;
const icon = { 'aria-hidden': true, size: 22 } as const;

export function HistoryOverlays({ kit, look, view }: HistoryOverlaysProps) {
  const { asked, enlarged } = view;
  return (
    <>
      {asked?.kind === 'all' && (
        <AllImagesDialog
          kit={kit}
          record={asked.record}
          onEnlarge={view.enlarge}
          onClose={view.closeAsked}
        />
      )}
      {enlarged && <Enlarged kit={kit} look={look} view={view} picture={enlarged} />}
      {asked?.kind === 'details' && (
        <DetailsDialog
          title={look.details.title}
          facts={look.details.facts(asked.record)}
          onClose={view.closeAsked}
          onUseAgain={() => view.grant('use again', asked.record)}
        />
      )}
      <DeleteDialog
        isOpen={asked?.kind === 'delete'}
        question={look.deletion}
        onClose={view.closeAsked}
        onDelete={() => asked && view.remove(asked.record)}
      />
    </>
  );
}

function Enlarged({
  kit,
  look,
  view,
  picture,
}: HistoryOverlaysProps & { readonly picture: GenerationRecord }) {
  return (
    <PicturesLightbox
      pictures={view.pictures}
      shown={picture}
      onShow={view.enlarge}
      onClose={view.closeEnlarged}
      caption={look.caption(picture)}
      actions={
        <>
          <IconButton
            label={texts.download}
            icon={<Download {...icon} />}
            onClick={() => void sayUnlessSaved(downloadPicture(kit, picture))}
          />
          <IconButton
            label={texts.info}
            icon={<Info {...icon} />}
            onClick={() => view.grant('details', picture)}
          />
          <IconButton
            label={texts.delete}
            icon={<Trash2 {...icon} />}
            onClick={() => view.grant('delete', picture)}
          />
        </>
      }
    />
  );
}
