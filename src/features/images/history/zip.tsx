/**
 * Pictures as one ZIP file, made on the device. One picture after the other is read and added, so that
 * only one of them is in memory; what is ready are blobs, which browsers keep on the disk.
 */
import { strToU8, Zip, ZipPassThrough } from 'fflate';
import { useEffect, useEffectEvent, useState } from 'react';

import { language } from '#lib/language';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { getFileName, readPictureFile, useKeepsRecipe } from '../shared/download-picture.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { toRecipe } from '../shared/recipe.ts';
import { type GenerationRecord, toPictures } from '../shared/records.ts';
import { shortenPrompt } from './record-words.ts';
import { historyTexts } from './texts.ts';

import styles from './selection.module.css';

const { zip: texts, details: detailsTexts } = historyTexts;

/** Of one file: phones have little memory. */
const maxPictures = 100;
const maxBytes = 500_000_000;

type Packing = {
  readonly adapter: ProviderAdapter;
  readonly pictures: readonly GenerationRecord[];
  readonly signal: AbortSignal;
  /** Called with the number of pictures that are done. */
  readonly onProgress: (done: number) => void;
};

type Packed = {
  /** Undefined when there is nothing to pack. */
  readonly file: Blob | undefined;
  readonly count: number;
  /** With a file that lists the recipes. */
  readonly hasList: boolean;
  readonly missing: readonly GenerationRecord[];
  /** What did not fit. */
  readonly left: readonly GenerationRecord[];
};

/** Rejects when it is aborted, or when the device has no room. */
async function packPictures({ adapter, pictures, signal, onProgress }: Packing): Promise<Packed> {
  const archive = createArchive();
  const missing: GenerationRecord[] = [];
  const recipes: unknown[] = [];
  let bytes = 0;
  let done = 0;

  for (const picture of pictures.slice(0, maxPictures)) {
    signal.throwIfAborted();
    // One at a time, so that only one is in memory.
    const file = await readPictureFile(adapter, picture);
    if (file && recipes.length > 0 && bytes + file.size > maxBytes) {
      break;
    }
    if (file) {
      bytes += file.size;
      const name = getFileName(adapter, picture, file.type);
      const stored = archive.add(name, new Uint8Array(await file.arrayBuffer()), picture.timestamp);
      recipes.push({ file: stored, ...toRecipe(picture), created: toDate(picture.timestamp) });
    } else {
      missing.push(picture);
    }
    done += 1;
    onProgress(done);
  }

  signal.throwIfAborted();
  const hasList = recipes.length > 0 && useKeepsRecipe.getState().keepsRecipe;
  if (hasList) {
    archive.add('recipes.json', strToU8(JSON.stringify(recipes, undefined, 2)), Date.now());
  }
  return {
    file: recipes.length > 0 ? archive.end() : undefined,
    count: recipes.length,
    hasList,
    missing,
    left: pictures.slice(done),
  };
}

function toDate(timestamp: number): string | undefined {
  return timestamp === 0 ? undefined : new Date(timestamp).toISOString();
}

function createArchive() {
  const parts: Blob[] = [];
  const names = new Set<string>();
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) {
      throw error;
    }
    chunks.push(new Uint8Array(chunk));
  });
  const flush = () => {
    parts.push(new Blob(chunks));
    chunks = [];
  };

  return {
    /** Without compression: pictures are compressed already. Returns the name in the archive. */
    add: (wanted: string, content: Uint8Array, timestamp: number): string => {
      const name = toFreeName(toSafeName(wanted), names);
      const entry = new ZipPassThrough(name);
      entry.mtime = toPackableTime(timestamp);
      zip.add(entry);
      entry.push(content, true);
      flush();
      return name;
    },
    end: (): Blob => {
      zip.end();
      flush();
      return new Blob(parts, { type: 'application/zip' });
    },
  };
}

/** The format knows the years 1980 to 2099; unknown times are 0. */
function toPackableTime(timestamp: number): number {
  const year = new Date(timestamp).getFullYear();
  return year >= 1980 && year < 2100 ? timestamp : Date.now();
}

/** Names that Windows keeps for devices, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
const maxStem = 80;

/** A name that every file system takes. */
function toSafeName(name: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = [name.slice(0, dot), name.slice(dot)];
  const letters = Array.from(stem.normalize('NFC').replaceAll(/[<>:"/\\|?*\p{Control}]+/gu, '_'));
  const clean = letters
    .slice(0, maxStem)
    .join('')
    .replace(/[. ]+$/, '')
    .trimStart();
  const isTaken = deviceName.test(clean.split('.', 1)[0] ?? '');
  return `${isTaken ? '_' : ''}${clean || 'picture'}${extension}`;
}

/** The name, with a number where the archive has it, also in other letters: Windows does not tell A from a. */
function toFreeName(name: string, names: Set<string>): string {
  const dot = name.lastIndexOf('.');
  let free = name;
  for (let number = 2; names.has(free.toLowerCase()); number += 1) {
    free = `${name.slice(0, dot)} (${number})${name.slice(dot)}`;
  }
  names.add(free.toLowerCase());
  return free;
}

type ZipDialogProps = {
  readonly adapter: ProviderAdapter;
  readonly records: readonly GenerationRecord[];
  readonly onClose: () => void;
};

export function ZipDialog(props: ZipDialogProps) {
  const platform = usePlatform();
  if (platform.savesBlobs) {
    return <PackingDialog {...props} />;
  }
  const { origin, pathname, search } = window.location;
  return (
    <Dialog
      title={texts.title}
      isOpen
      onClose={props.onClose}
      actions={
        <>
          <Button kind="quiet" onClick={props.onClose}>
            {detailsTexts.close}
          </Button>
          <Button onClick={() => platform.openLink(origin + pathname + search)}>
            {texts.openBrowser}
          </Button>
        </>
      }
    >
      <p>{texts.inBrowser}</p>
    </Dialog>
  );
}

/** Packs at once and saves the file, and says what is not in it. Closing it stops the work. */
function PackingDialog({ adapter, records, onClose }: ZipDialogProps) {
  // What is selected may change meanwhile, as when pictures are deleted in another tab.
  const [all] = useState(() => records.flatMap(toPictures));
  const { batch, done, packed, isFailed, packNext, save } = usePacking(adapter, all);
  const isPacking = packed === undefined && !isFailed;
  return (
    <Dialog
      title={texts.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {isPacking ? historyTexts.delete.cancel : detailsTexts.close}
          </Button>
          {packed && <FurtherButtons packed={packed} onSave={save} onNext={packNext} />}
        </>
      }
    >
      <div className={styles.zip}>
        {isPacking && <progress max={batch} value={done} aria-label={texts.title} />}
        {/* Always there: screen readers announce only changes of an element. */}
        <output>
          {isPacking && texts.packing(done, batch)}
          {isFailed && texts.failed}
          {packed && describeFile(packed)}
        </output>
        {packed && <Remarks packed={packed} />}
      </div>
    </Dialog>
  );
}

type FurtherButtonsProps = {
  readonly packed: Packed;
  readonly onSave: () => void;
  readonly onNext: (left: readonly GenerationRecord[]) => void;
};

function FurtherButtons({ packed: { file, left }, onSave, onNext }: FurtherButtonsProps) {
  return (
    <>
      {file && <Button onClick={onSave}>{texts.again}</Button>}
      {left.length > 0 && (
        <Button onClick={() => onNext(left)}>
          {texts.next(Math.min(left.length, maxPictures))}
        </Button>
      )}
    </>
  );
}

/** What did not fit, and what could not be had. */
function Remarks({ packed: { file, count, missing, left } }: { readonly packed: Packed }) {
  return (
    <>
      {left.length > 0 && <p>{texts.left(maxPictures, describeSize(maxBytes))}</p>}
      {file && missing.length > 0 && (
        <>
          <p>{texts.missing(missing.length, missing.length + count)}</p>
          <ul>
            {missing.map(({ id, prompt }) => (
              <li key={id} dir="auto">
                {shortenPrompt(prompt)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function describeFile({ file, count, hasList }: Packed): string {
  const describe = hasList ? texts.packed : texts.packedWithoutList;
  return file ? describe(count, describeSize(file.size)) : texts.nothing;
}

function describeSize(bytes: number): string {
  const megabytes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return texts.megabytes(megabytes.format(Math.max(0.1, bytes / 1_000_000)));
}

/** Enough for a browser to begin reading the URL. */
const revokeAfterMs = 60_000;

type Progress = { readonly done: number; readonly packed?: Packed; readonly isFailed?: boolean };

/** Packs what fits into one file; `packNext` begins the next one. */
function usePacking(adapter: ProviderAdapter, all: readonly GenerationRecord[]) {
  const platform = usePlatform();
  const [pictures, setPictures] = useState(all);
  const [work, setWork] = useState<Progress>({ done: 0 });

  const save = async ({ file }: Packed, from: readonly GenerationRecord[]) => {
    if (file) {
      const url = URL.createObjectURL(file);
      setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
      const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
      const part = from === all ? '' : `-${all.length - from.length + 1}`;
      await platform.download({ url, name: `nori-images-${today}${part}.zip` });
    }
  };
  const pack = useEffectEvent(async (from: readonly GenerationRecord[], signal: AbortSignal) => {
    try {
      const onProgress = (done: number) => setWork({ done });
      const packed = await packPictures({ adapter, pictures: from, signal, onProgress });
      setWork(({ done }) => ({ done, packed }));
      await save(packed, from);
    } catch {
      if (!signal.aborted) {
        setWork(({ done }) => ({ done, isFailed: true }));
      }
    }
  });

  useEffect(() => {
    const abort = new AbortController();
    // Later: React may mount a component twice, and once is enough to read so much.
    const timer = setTimeout(() => void pack(pictures, abort.signal));
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [pictures]);

  return {
    /** How many pictures are for this file. */
    batch: Math.min(pictures.length, maxPictures),
    isFailed: false,
    packed: undefined,
    ...work,
    save: () => void (work.packed && save(work.packed, pictures)),
    packNext: (left: readonly GenerationRecord[]) => {
      setWork({ done: 0 });
      setPictures(left);
    },
  };
}
