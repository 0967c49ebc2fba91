/** Writes a ZIP piece by piece, so that nothing of it is whole in memory. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { setImmediate } from 'node:timers/promises';

import { type Draft } from './object-store.ts';

/** Throws the signal's reason when it is aborted. */
export function createZipWriter(draft: Pick<Draft, 'write'>, signal: AbortSignal) {
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
