/** Dialogs of the history: all pictures of a generation, its details, the collections, deleting several. */
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';

import { useCapabilities } from '#lib/capabilities';
import { useCopyText } from '#lib/copy-text';
import { showUndo } from '#lib/undo';
import { Button, IconButton } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { CopyButton } from '#ui/copy-button';
import { Dialog } from '#ui/dialog';
import { EmptyState, passFocusOn } from '#ui/empty-state';
import { Field } from '#ui/field';

import { deleteAtOnce, deleteRecords } from '../shared/deletion.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord, toPictures } from '../shared/records.ts';
import { DownloadLink, PictureFrame } from '../shared/result-panel.tsx';
import {
  checkName,
  type Collection,
  collectionLimits,
  createCollection,
  deleteCollection,
  putIntoCollection,
  renameCollection,
  stopSelecting,
  useCollections,
} from './collections.ts';
import { type HistoryView } from './history-view.ts';
import { describeMoment } from './record-words.ts';
import { historyTexts } from './texts.ts';
import { sayIfNotKept } from './use-history-overlays.ts';

import styles from './history-dialogs.module.css';

const { details: detailsTexts, collections: texts, select: selectTexts } = historyTexts;

type AllImagesDialogProps = {
  readonly adapter: ProviderAdapter;
  readonly record: GenerationRecord;
  readonly onEnlarge: (id: string) => void;
  readonly onClose: () => void;
};

/** All pictures of one generation. */
export function AllImagesDialog({ adapter, record, onEnlarge, onClose }: AllImagesDialogProps) {
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
export function DetailsDialog({ details, record, onClose, onUseAgain }: DetailsDialogProps) {
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
      {details.further?.(record, onClose)}
    </Dialog>
  );
}

const noRecords: readonly GenerationRecord[] = [];

type CollectionsDialogProps = {
  /** All of the shown provider. */
  readonly records: readonly GenerationRecord[];
  /** Those that a tick puts into a collection; without them the collections are only named, renamed and deleted. */
  readonly chosen?: readonly GenerationRecord[];
  readonly onClose: () => void;
};

/** The names of the collections, and which of them the chosen pictures are in. */
export function CollectionsDialog({
  records,
  chosen = noRecords,
  onClose,
}: CollectionsDialogProps) {
  const collections = useCollections();
  const [renamedId, setRenamedId] = useState<string>();

  return (
    <Dialog
      title={historyTexts.find.collections}
      isOpen
      onClose={onClose}
      actions={<Button onClick={onClose}>{texts.close}</Button>}
    >
      <p className={styles.remark}>{texts.onlyHere}</p>
      {collections.length === 0 && <EmptyState mood="happy" title={texts.none} />}
      {collections.length > 0 && (
        <ul className={styles.collections}>
          {collections.map((one) => (
            <li key={one.id}>
              {one.id === renamedId ? (
                <NameForm
                  label={texts.newName}
                  button={texts.save}
                  initial={one.name}
                  others={collections.filter(({ id }) => id !== one.id)}
                  onName={(name) => {
                    sayIfNotKept(renameCollection(one.id, name));
                    setRenamedId(undefined);
                  }}
                  onCancel={() => setRenamedId(undefined)}
                />
              ) : (
                <CollectionRow
                  collection={one}
                  records={records}
                  chosen={chosen}
                  onRename={() => setRenamedId(one.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {collections.length >= collectionLimits.count ? (
        <p className={styles.remark}>{texts.full(collectionLimits.count)}</p>
      ) : (
        <NameForm
          key={collections.length}
          label={texts.name}
          button={texts.create}
          others={collections}
          onName={(name) => {
            const { made, isStored } = createCollection(name);
            const isKept = chosen.length === 0 || putIntoCollection(chosen, made.id, true);
            sayIfNotKept(isStored && isKept);
          }}
        />
      )}
    </Dialog>
  );
}

type CollectionRowProps = Required<Pick<CollectionsDialogProps, 'records' | 'chosen'>> & {
  readonly collection: Collection;
  readonly onRename: () => void;
};

function CollectionRow({ collection, records, chosen, onRename }: CollectionRowProps) {
  const { id, name } = collection;
  const all = records.filter((record) => record.collections?.includes(id) === true);
  const ids = new Set(all.map((record) => record.id));
  const inside = chosen.filter((record) => ids.has(record.id));
  const isAll = chosen.length > 0 && inside.length === chosen.length;
  const words = (
    <>
      <span className={styles.name} dir="auto">
        {name}
      </span>
      <span className={styles.count}>{texts.count(all.length)}</span>
    </>
  );

  const remove = () => {
    const { undo } = deleteCollection(collection);
    showUndo({
      id: `collection-${id}`,
      tone: 'info',
      text: texts.deleted(name),
      button: historyTexts.delete.undo,
      undo,
    });
  };

  return (
    <div className={styles.collection}>
      {chosen.length === 0 ? (
        <div className={styles.words}>{words}</div>
      ) : (
        <label className={styles.words}>
          <input
            type="checkbox"
            checked={isAll}
            ref={(box) => {
              if (box) {
                box.indeterminate = inside.length > 0 && !isAll;
              }
            }}
            onChange={() => sayIfNotKept(putIntoCollection(chosen, id, !isAll))}
          />
          {words}
        </label>
      )}
      <IconButton
        label={texts.rename(name)}
        icon={<Pencil aria-hidden size={18} />}
        onClick={onRename}
      />
      <IconButton
        ref={passFocusOn}
        label={texts.delete(name)}
        icon={<Trash2 aria-hidden size={18} />}
        onClick={remove}
      />
    </div>
  );
}

type NameFormProps = {
  readonly label: string;
  readonly button: string;
  readonly initial?: string;
  readonly others: readonly Collection[];
  readonly onName: (name: string) => void;
  readonly onCancel?: () => void;
};

/** A field for the name of a collection. */
function NameForm({ label, button, initial = '', others, onName, onCancel }: NameFormProps) {
  const [typed, setTyped] = useState(initial);
  const [problem, setProblem] = useState<'empty' | 'taken'>();
  const messages = { empty: texts.missing, taken: texts.taken } as const;

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const checked = checkName(typed, others);
        setProblem(checked.problem);
        if (checked.problem === undefined) {
          onName(checked.name);
        }
      }}
    >
      <Field
        label={label}
        value={typed}
        error={problem && messages[problem]}
        maxLength={collectionLimits.nameLength}
        autoComplete="off"
        dir="auto"
        trailing={onCancel ? undefined : <Button type="submit">{button}</Button>}
        // A name that is being changed is where the user has just pressed.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={onCancel !== undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          setProblem(undefined);
        }}
      />
      {onCancel && (
        <div className={styles.formActions}>
          <Button kind="quiet" onClick={onCancel}>
            {historyTexts.delete.cancel}
          </Button>
          <Button type="submit">{button}</Button>
        </div>
      )}
    </form>
  );
}

type DeleteQuestionProps = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  readonly chosen: readonly GenerationRecord[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Before several pictures are deleted at once. */
export function DeleteQuestion({ adapter, view, chosen, isOpen, onClose }: DeleteQuestionProps) {
  const { has } = useCapabilities();
  const { isFinal = false } = view.deletion;
  const { capability } = adapter.deletion;
  const isKept =
    capability !== undefined &&
    has(capability) !== true &&
    chosen.some(({ remoteId }) => remoteId !== undefined);
  const question = [
    selectTexts.deleteQuestion(chosen.length),
    ...(isKept ? [selectTexts.deleteKept] : isFinal ? [selectTexts.deleteFinal] : []),
  ].join(' ');

  const remove = () => {
    // Synchronous: the page can take the focus only when no dialog is above it.
    flushSync(onClose);
    if (isFinal) {
      for (const record of chosen) {
        deleteAtOnce(adapter, record);
      }
    } else {
      const { undo } = deleteRecords(adapter, chosen);
      showUndo({
        id: `deleted-${chosen.map(({ id }) => id).join(' ')}`,
        tone: 'info',
        text: selectTexts.deleted(chosen.length),
        button: historyTexts.delete.undo,
        undo,
      });
    }
    stopSelecting();
  };

  return (
    <ConfirmDialog
      isOpen={isOpen}
      texts={{ ...historyTexts.delete, title: selectTexts.deleteTitle, question }}
      kind="danger"
      onCancel={onClose}
      onConfirm={remove}
    />
  );
}
