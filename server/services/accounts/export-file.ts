/** The files of exports: what is in one, how it is written piece by piece, and when it is removed. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';

import { type Database } from '#server/db/client';
import { createExportRepository, exportSections, readSection } from '#server/db/exports';
import { removeLooseObjects } from '#server/db/loose-objects';
import { type Draft, type ObjectStore, readInPieces } from '#server/lib/object-store';
import { detectPictureType } from '#server/lib/picture-type';

type Sources = { readonly database: Database; readonly objects: ObjectStore };

/** Writes the ZIP: pictures as they are, and `nori.json`. No more than a piece of either is in memory. */
export async function writeExport(
  { database: { db }, objects }: Sources,
  draft: Pick<Draft, 'write'>,
  { telegramId, at, signal }: { telegramId: number; at: number; signal: AbortSignal },
): Promise<void> {
  const zip = createZipWriter(draft, signal);
  for await (const rows of readSection(db, 'pictures', telegramId)) {
    for (const { id, type } of v.parse(pictureRows, rows)) {
      const name = `pictures/${id}.${toExtension(type)}`;
      await zip.addStored(name, readInPieces(objects, `${id}-original`));
    }
  }
  const saved = new Set<string>();
  for await (const rows of readSection(db, 'generations', telegramId)) {
    v.parse(savedRows, rows).forEach(({ job_key: key }) => saved.add(key ?? ''));
  }
  for await (const rows of readSection(db, 'jobs', telegramId)) {
    const unsaved = v.parse(jobRows, rows).filter(({ job_key: key }) => !saved.has(key));
    for (const id of unsaved.flatMap(({ picture_ids: ids }) => ids ?? [])) {
      const head = await objects.read(`${id}-job`, (size) => ({
        start: 0,
        end: Math.min(size, typeBytes) - 1,
      }));
      const name = `jobs/${id}.${toExtension(head && detectPictureType(head.bytes))}`;
      await zip.addStored(name, readInPieces(objects, `${id}-job`));
    }
  }
  await zip.addText('nori.json', listJson(db, telegramId, at));
  await zip.end();
}

const pictureRows = v.array(v.object({ id: v.string(), type: v.string() }));
const savedRows = v.array(v.object({ job_key: v.nullable(v.string()) }));
const jobRows = v.array(
  v.object({ job_key: v.string(), picture_ids: v.nullable(v.array(v.string())) }),
);
const typeBytes = 12;

const toExtension = (type = 'image/webp') => type.replace('image/', '').replace('jpeg', 'jpg');

/** The parts of `nori.json`. Its keys say what each list is. */
async function* listJson(
  db: Database['db'],
  telegramId: number,
  at: number,
): AsyncGenerator<string> {
  yield `{\n"made_at": ${JSON.stringify(new Date(at).toISOString())}`;
  for (const { name } of exportSections) {
    yield `,\n${JSON.stringify(name)}: [`;
    let separator = '\n';
    for await (const rows of readSection(db, name, telegramId)) {
      for (const row of rows) {
        yield separator + JSON.stringify(row);
        separator = ',\n';
      }
    }
    yield ']';
  }
  yield '\n}\n';
}

/** Removes exports that have expired. */
export async function sweepExports(place: Sources, now: number): Promise<void> {
  const names = await createExportRepository(place.database).removeExpired(now);
  await removeLooseObjects(place, names);
}

/** Throws the signal's reason when it is aborted. */
function createZipWriter(draft: Pick<Draft, 'write'>, signal: AbortSignal) {
  let made: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, bytes) => {
    failure = error ?? failure;
    made.push(bytes);
  });

  async function writeMade(): Promise<void> {
    signal.throwIfAborted();
    if (failure !== undefined) {
      throw failure;
    }
    const bytes = Buffer.concat(made);
    made = [];
    await draft.write(bytes);
    // Other requests come between two pieces.
    await setImmediate();
  }

  async function add(
    file: ZipDeflate | ZipPassThrough,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    zip.add(file);
    for await (const piece of pieces) {
      file.push(piece);
      await writeMade();
    }
    file.push(new Uint8Array(), true);
    await writeMade();
  }

  return {
    addStored: (name: string, pieces: AsyncIterable<Uint8Array>) =>
      add(new ZipPassThrough(name), pieces),
    addText: (name: string, texts: AsyncIterable<string>) =>
      add(new ZipDeflate(name), gatherBytes(texts)),
    end: async () => {
      zip.end();
      await writeMade();
    },
  };
}

const pieceLength = 64 * 1024;

async function* gatherBytes(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let gathered = '';
  for await (const text of texts) {
    gathered += text;
    if (gathered.length > pieceLength) {
      yield Buffer.from(gathered);
      gathered = '';
    }
  }
  yield Buffer.from(gathered);
}
