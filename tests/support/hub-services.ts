/** Stand-ins for Imagine Art and a midjourney-proxy, speaking their protocols on loopback. They work in every kind of test. */
import sharp from 'sharp';
import * as v from 'valibot';

import { listen } from './stand-in-server.ts';

/** What Imagine Art answers: a real PNG. */
export const imaginePicture = await sharp({
  create: { width: 64, height: 64, channels: 3, background: '#0b7a5c' },
})
  .png()
  .toBuffer();

/** Vyro's second API: one question, answered with the picture. */
export async function startImagineService({ apiKey = 'vk-stand-in' } = {}) {
  const standIn = await listen(({ method, path, headers, body }) => {
    if (headers.authorization !== `Bearer ${apiKey}`) {
      return { status: 401, body: { status: 'error', code: 401, error: 'authorization' } };
    }
    if (`${method} ${path}` !== 'POST /v2/image/generations') {
      return { status: 404, body: { status: 'error', code: 404, error: 'general' } };
    }
    const request = v.safeParse(v.object({ prompt: v.string(), style: v.string() }), body);
    return request.success
      ? { headers: { 'Content-Type': 'image/png' }, body: imaginePicture }
      : { status: 400, body: { status: 'error', code: 400, error: 'validation' } };
  });
  return {
    ...standIn,
    apiKey,
    variables: { IMAGINE_API_KEY: apiKey, IMAGINE_API_URL: `${standIn.url}/v2` },
  };
}

/** The colours of a grid's four pictures, row by row. */
export const gridColours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00'] as const;

/** A picture of two by two squares, as the service hands it out. */
async function makeGrid(side = 64): Promise<Buffer> {
  const half = Math.floor(side / 2);
  const tiles = await Promise.all(
    gridColours.map((background) =>
      sharp({ create: { width: half, height: half, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const blank = { width: side, height: side, channels: 3, background: '#fff' } as const;
  const places = tiles.map((input, index) => ({
    input,
    left: (index % 2) * (side - half),
    top: Math.floor(index / 2) * (side - half),
  }));
  return sharp({ create: blank }).composite(places).png().toBuffer();
}

type TaskStatus = 'SUBMITTED' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'CANCEL';

/** A midjourney-proxy. Tasks go from submitted to in progress to success as they are looked at. */
export async function startMidjourneyService({ secret = 'mj-stand-in' } = {}) {
  const grid = await makeGrid();
  const tasks = new Map<string, { status: TaskStatus; looks: number }>();
  let isHeld = false;
  let end: { readonly status: TaskStatus; readonly failReason?: string } = { status: 'SUCCESS' };
  let each: 'none' | 'objects' | 'texts' | 'refused' = 'none';

  function listEach(id: string, root: string) {
    const folder = each === 'refused' ? 'cdn' : 'files';
    const urls = gridColours.map((_colour, index) => `${root}/${folder}/${id}-${index}.png`);
    if (each === 'none') {
      return {};
    }
    return { imageUrls: each === 'texts' ? urls : urls.map((url) => ({ url })) };
  }

  function describe(id: string, root: string) {
    const task = tasks.get(id);
    if (task === undefined) {
      // So the service answers about what it does not know.
      return null;
    }
    task.looks += 1;
    if (!isHeld && task.status !== 'CANCEL') {
      task.status = task.looks > 2 ? end.status : task.looks > 1 ? 'IN_PROGRESS' : 'SUBMITTED';
    }
    const isDone = task.status === 'SUCCESS';
    return {
      id,
      action: 'IMAGINE',
      status: task.status,
      progress: isDone ? '100%' : '35%',
      // It shows how far it is: this is no result yet.
      imageUrl: task.looks > 1 ? `${root}/files/${id}.png` : null,
      failReason: end.failReason ?? null,
      ...(isDone ? listEach(id, root) : {}),
    };
  }

  const standIn = await listen(({ method, path, headers }) => {
    if (path.startsWith('/cdn/')) {
      return { status: 403, body: 'error code: 1010' };
    }
    if (path.startsWith('/files/')) {
      return headers['mj-api-secret'] === undefined
        ? { headers: { 'Content-Type': 'image/png' }, body: grid }
        : { status: 400, body: 'a secret where none is needed' };
    }
    if (headers['mj-api-secret'] !== secret) {
      return { status: 401, body: { code: 401, description: 'api secret' } };
    }
    if (`${method} ${path}` === 'POST /mj/submit/imagine') {
      const id = String(7000 + tasks.size);
      tasks.set(id, { status: 'SUBMITTED', looks: 0 });
      return { body: { code: 1, description: 'Submit success', result: id } };
    }
    const [, id = '', what] = /^\/mj\/task\/(\w+)\/(fetch|cancel)$/.exec(path) ?? [];
    if (what === 'cancel') {
      tasks.set(id, { status: 'CANCEL', looks: 0 });
      // It says nothing more.
      return { body: '' };
    }
    const root = `http://${headers.host ?? ''}`;
    return what === 'fetch'
      ? { body: JSON.stringify(describe(id, root)) }
      : { status: 404, body: { code: 404 } };
  });

  return {
    ...standIn,
    secret,
    variables: {
      MIDJOURNEY_PROXY_URL: `${standIn.url}/mj`,
      MIDJOURNEY_PROXY_SECRET: secret,
    },
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
    },
    endWith: (status: TaskStatus, failReason?: string) => {
      end = { status, ...(failReason === undefined ? {} : { failReason }) };
    },
    /**
     * From now on it answers an address for each picture, as newer services do: as objects or as texts, or
     * on MidJourney's own server, which refuses to send them.
     */
    answerEach: (how: 'objects' | 'texts' | 'refused' = 'objects') => {
      each = how;
    },
    getStatus: (id: string) => tasks.get(id)?.status,
  };
}
