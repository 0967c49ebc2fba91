/** What opens above the history: the enlarged picture, its details, and the question before deleting. */
import { Download, Info, Trash2 } from 'lucide-react';

import { IconButton } from '#ui/button';

import { downloadPicture } from '../common/download-picture.ts';
import { type GenerationRecord } from '../common/records.ts';
import { usePicture } from '../common/use-picture.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { LargePicture } from './large-picture.tsx';
import { Lightbox } from './lightbox.tsx';
import { sayUnlessSaved } from './open-picture.ts';
import { historyTexts } from './texts.ts';
import { type HistoryView } from './use-history-view.ts';

type HistoryOverlaysProps = {
  readonly records: readonly GenerationRecord[];
  readonly view: HistoryView;
  readonly canUseAgain: boolean;
};

const { card: texts, viewer } = historyTexts;
const icon = { 'aria-hidden': true, size: 22 } as const;

export function HistoryOverlays({ records, view, canUseAgain }: HistoryOverlaysProps) {
  const { asked } = view;
  return (
    <>
      {view.enlarged && <Enlarged records={records} view={view} record={view.enlarged} />}
      {asked?.kind === 'details' && (
        <DetailsDialog
          record={asked.record}
          onClose={view.closeAsked}
          onUseAgain={canUseAgain ? () => view.grant('use again', asked.record) : undefined}
        />
      )}
      <DeleteDialog
        isOpen={asked?.kind === 'delete'}
        onClose={view.closeAsked}
        onDelete={() => asked && view.remove(asked.record)}
      />
    </>
  );
}

function Enlarged({
  records,
  view,
  record,
}: {
  readonly records: readonly GenerationRecord[];
  readonly view: HistoryView;
  readonly record: GenerationRecord;
}) {
  const pictures = records.filter(({ status }) => status === 'completed');
  return (
    <Lightbox
      ids={pictures.map(({ id }) => id)}
      shownId={record.id}
      onShow={view.enlarge}
      onClose={view.closeEnlarged}
      renderPicture={(id) => {
        const picture = pictures.find((one) => one.id === id);
        return picture && <RecordPicture record={picture} />;
      }}
      caption={viewer.model(record.modelName || record.modelId)}
      actions={
        <>
          <IconButton
            label={texts.download}
            icon={<Download {...icon} />}
            onClick={() => void sayUnlessSaved(downloadPicture(record))}
          />
          <IconButton
            label={texts.info}
            icon={<Info {...icon} />}
            onClick={() => view.grant('details', record)}
          />
          <IconButton
            label={texts.delete}
            icon={<Trash2 {...icon} />}
            onClick={() => view.grant('delete', record)}
          />
        </>
      }
    />
  );
}

function RecordPicture({ record }: { readonly record: GenerationRecord }) {
  const thumbnail = usePicture(record, 'thumbnail');
  const original = usePicture(record, 'original');
  return (
    <LargePicture
      alt={texts.alt(record.prompt)}
      url={original.url}
      thumbnailUrl={thumbnail.url}
      isMissing={original.state === 'missing'}
    />
  );
}
