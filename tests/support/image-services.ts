/** Stand-ins for the services that make pictures, speaking their protocols on loopback. */
import * as v from 'valibot';

import { detectPictureType } from '#server/lib/picture-type';
import { renderSketch } from '#server/upstream/images/sketch/index';

import { type RecordedCall, startStandIn } from './stand-in.ts';

/** What the stand-ins answer with: a real PNG. */
export const standInPicture = await renderSketch({
  prompt: 'a stand-in',
  seed: '1',
  width: 64,
  height: 64,
  caption: false,
});

const submission = v.object({
  parameters: v.object({
    lora: v.optional(v.record(v.string(), v.number()), {}),
    mediaUrl: v.optional(v.string()),
    strength: v.optional(v.number()),
  }),
});

type TaskStatus = 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';

/** PixAI's official API. Tasks go from waiting to running to completed as they are looked at, unless told otherwise. */
export async function startPixai({ apiKey = 'sk-stand-in' } = {}) {
  const tasks = new Map<string, { status: TaskStatus; looks: number }>();
  let isHeld = false;
  let outcome: TaskStatus = 'completed';

  const answers: readonly (readonly [
    RegExp,
    (match: readonly string[], call: RecordedCall) => object,
  ])[] = [
    [
      /^POST \/v1\/task$/,
      (_match, { body }) => {
        const { parameters } = v.parse(submission, body);
        if (Object.values(parameters.lora).some((weight) => weight < 0 || weight > 1)) {
          return { status: 400, body: { message: 'lora weight must be between 0 and 1' } };
        }
        const { mediaUrl = 'https://none', strength = 0.5 } = parameters;
        if (!mediaUrl.startsWith('https://') || strength <= 0 || strength > 1) {
          return { status: 400, body: { message: 'mediaUrl or strength is invalid' } };
        }
        const id = String(1000 + tasks.size);
        tasks.set(id, { status: 'waiting', looks: 0 });
        return { body: describe(id) };
      },
    ],
    [
      /^GET \/v1\/task\/(\w+)$/,
      ([, id = '']) => {
        const task = tasks.get(id);
        if (task === undefined) {
          return { status: 404, body: { message: 'not found' } };
        }
        task.looks += 1;
        if (!isHeld && task.status !== 'cancelled') {
          task.status = task.looks > 2 ? outcome : task.looks > 1 ? 'running' : 'waiting';
        }
        return { body: describe(id) };
      },
    ],
    [
      /^GET \/v1\/media\/m(\w+)\/image$/,
      ([, id = '']) => ({ status: 302, headers: { Location: `/files/${id}.png?signature=abc` } }),
    ],
    [
      /^GET \/files\/\w+\.png\?signature=abc$/,
      (_match, { headers }) =>
        headers.authorization === undefined
          ? { headers: { 'Content-Type': 'image/png' }, body: standInPicture }
          : { status: 400, body: { message: 'unexpected key' } },
    ],
    [
      /^POST \/graphql$/,
      (_match, { body }) => {
        const id = /"id":"(\w+)"/.exec(JSON.stringify(body))?.[1] ?? '';
        tasks.set(id, { status: 'cancelled', looks: 0 });
        return { body: { data: { cancelGenerationTask: { id, status: 'cancelled' } } } };
      },
    ],
  ];

  function describe(id: string) {
    const status = tasks.get(id)?.status;
    const mediaIds = status === 'completed' ? [`m${id}`] : [];
    return { id, status, createdAt: '2026-11-21T12:00:00Z', outputs: { mediaIds, mediaUrls: [] } };
  }

  const standIn = await startStandIn((call) => {
    const isFile = call.path.startsWith('/files/');
    if (!isFile && call.headers.authorization !== `Bearer ${apiKey}`) {
      return { status: 401, body: { message: 'invalid key' } };
    }
    for (const [pattern, answer] of answers) {
      const match = pattern.exec(`${call.method} ${call.path}`);
      if (match) {
        return answer(match, call);
      }
    }
    return { status: 404, body: { message: 'no such route' } };
  });

  return {
    ...standIn,
    apiKey,
    variables: { PIXAI_API_KEY: apiKey, PIXAI_API_ROOT: standIn.url },
    /** From now on tasks stay as they are, until `release`. */
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
    },
    /** How tasks end from now on. */
    endWith: (status: TaskStatus) => {
      outcome = status;
    },
    getStatus: (id: string) => tasks.get(id)?.status,
  };
}

const drawing = v.object({
  seed: v.number(),
  force_task_id: v.optional(v.string(), ''),
  steps: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 50),
  sampler_name: v.optional(v.string(), 'Euler'),
});
const redrawing = v.object({
  ...drawing.entries,
  init_images: v.optional(v.array(v.string()), []),
  mask: v.optional(v.string()),
  mask_blur: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 4),
  inpainting_mask_invert: v.optional(v.picklist([0, 1]), 0),
  inpainting_fill: v.optional(v.picklist([0, 1, 2, 3]), 0),
  inpaint_full_res: v.optional(v.boolean(), true),
  denoising_strength: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});
const enlarging = v.object({
  image: v.string(),
  upscaling_resize: v.pipe(v.number(), v.minValue(1), v.maxValue(8)),
  upscaler_1: v.string(),
});
const webUiUpscalers = ['None', 'Lanczos', 'R-ESRGAN 4x+'];
/** The samplers of the web UI. */
export const webUiSamplers = ['DPM++ 2M', 'Euler a', 'Euler', 'DDIM'] as const;
const isPicture = (base64: string) =>
  detectPictureType(Buffer.from(base64, 'base64')) !== undefined;
function refuseSource({ init_images: images, mask }: v.InferOutput<typeof redrawing>) {
  if (images.length === 0) {
    return { status: 404, body: { detail: 'Init image not found' } };
  }
  const isReadable = [...images, ...(mask === undefined ? [] : [mask])].every(isPicture);
  return isReadable ? undefined : { status: 500, body: { detail: 'Invalid encoded image' } };
}

function enlarge({ image, upscaler_1 }: v.InferOutput<typeof enlarging>) {
  return isPicture(image) && webUiUpscalers.includes(upscaler_1)
    ? { body: { html_info: '', image: standInPicture.toString('base64') } }
    : { status: 500, body: { error: 'AssertionError', detail: '', errors: '' } };
}

const progressRequest = v.object({ id_task: v.string() });

/** What the web UI has. */
const webUiLists: Readonly<Record<string, { readonly body: unknown }>> = {
  'GET /sdapi/v1/sd-models': {
    body: [
      { title: 'dreamy.safetensors [abc123]', model_name: 'dreamy', hash: 'abc123' },
      { title: 'inky.safetensors', model_name: 'inky', hash: null },
      { title: '静かな水 v2 (fp16).ckpt', model_name: '静かな水 v2 (fp16)', hash: null },
      { title: 'a<b>.ckpt [0a1b2c]', model_name: 'a<b>', hash: '0a1b2c' },
      { title: 'c<d>.ckpt', model_name: 'c<d>', hash: null },
    ],
  },
  'GET /sdapi/v1/loras': {
    body: [
      { name: 'ink style', alias: 'Ink & Wash', path: '/l/ink style.safetensors' },
      { name: 'glow', alias: null, path: '/l/glow.safetensors' },
    ],
  },
  'GET /sdapi/v1/samplers': {
    body: webUiSamplers.map((name) => ({ name, aliases: [], options: {} })),
  },
  'GET /sdapi/v1/upscalers': {
    body: webUiUpscalers.map((name) => ({ name, model_path: null, scale: 4 })),
  },
};

/**
 * A Stable Diffusion web UI with a few models, of which the page cannot name one, and two LoRAs. An
 * interruption ends whatever is in progress, and the answer then looks like that of a finished picture.
 */
export async function startA1111({ auth }: { readonly auth?: string } = {}) {
  const expected = auth === undefined ? undefined : `Basic ${btoa(auth)}`;
  /** The task in progress; the web UI works on one at a time, of all who ask. */
  let current: string | undefined;
  let isInterrupted = false;
  let starts = 0;

  const standIn = await startStandIn(({ method, path, headers, body }) => {
    if (headers.authorization !== expected) {
      return { status: 401, body: { detail: 'Incorrect username or password' } };
    }
    const list = webUiLists[`${method} ${path}`];
    if (list) {
      return list;
    }
    switch (`${method} ${path}`) {
      case 'POST /sdapi/v1/extra-single-image':
        return enlarge(v.parse(enlarging, body));
      case 'POST /sdapi/v1/img2img':
      case 'POST /sdapi/v1/txt2img': {
        const refused = path.endsWith('/img2img') && refuseSource(v.parse(redrawing, body));
        if (refused) {
          return refused;
        }
        const { seed, steps, sampler_name } = v.parse(drawing, body);
        if (!webUiSamplers.some((name) => name === sampler_name)) {
          return { status: 404, body: { detail: 'Sampler not found' } };
        }
        const info = {
          seed,
          all_seeds: [seed],
          job_timestamp: String(starts),
          steps,
          sampler_name,
        };
        return {
          body: {
            images: [standInPicture.toString('base64')],
            parameters: {},
            info: JSON.stringify(info),
          },
        };
      }
      case 'POST /internal/progress': {
        const isActive = v.parse(progressRequest, body).id_task === current;
        return { body: { active: isActive, queued: !isActive, completed: false } };
      }
      case 'GET /sdapi/v1/progress?skip_current_image=true':
        return {
          body: {
            progress: 0,
            state: { interrupted: isInterrupted, job: '', job_timestamp: String(starts) },
          },
        };
      case 'POST /sdapi/v1/interrupt':
        isInterrupted = true;
        return { body: {} };
      default:
        return { status: 404, body: { detail: 'Not Found' } };
    }
  });
  return {
    ...standIn,
    /** From now on it works on this task. */
    begin: (taskId: string) => {
      current = taskId;
      isInterrupted = false;
      starts += 1;
    },
    /** Another user presses "Interrupt" in the web UI. */
    interrupt: () => {
      isInterrupted = true;
    },
    isInterrupted: () => isInterrupted,
    /** The ID of the task that was asked for last. */
    getLastTask: () =>
      v.parse(drawing, standIn.callsTo('POST /sdapi/v1/txt2img').at(-1)?.body).force_task_id,
    variables: { A1111_URL: standIn.url, ...(auth ? { A1111_AUTH: auth } : {}) },
  };
}

/** What a person fills in; `job_key` differs for each number. */
export function getPending(number = 0) {
  return {
    prompt: 'a secret garden at dusk',
    model_id: 'dreamy',
    ratio: '2:3',
    negative_prompt: 'blurry',
    seed: '1234567890',
    job_key: `job-key-of-a-test-number-${String(number).padStart(4, '0')}`,
  } as const;
}

/** In pixels. */
export const requestedSize = { width: 832, height: 1248 };
