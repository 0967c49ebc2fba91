/**
 * The recipe of a picture as text inside of its file: our own JSON, which is exact, and the layout of A1111, which image
 * programs and sites read. Also what A1111, ComfyUI and InvokeAI write.
 */
import * as v from 'valibot';

import { maxLoras } from './limits.ts';
import { providerIds } from './providers.ts';

/** Characters of a prompt of another program. */
const maxForeignLength = 65_536;

const maybe = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);
const promptText = v.fallback(v.pipe(v.string(), v.maxLength(maxForeignLength)), '');
const name = maybe(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)));
const count = maybe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)));

/** What cannot be read is absent. */
const facts = v.object({
  prompt: promptText,
  negativePrompt: promptText,
  provider: maybe(v.picklist(providerIds)),
  /** The ID of a model's version, in recipes of ours. */
  modelId: name,
  modelName: name,
  modelHash: maybe(v.pipe(v.string(), v.regex(/^[\da-f]{1,64}$/i))),
  /** ID or name → weight. */
  loras: v.fallback(
    v.pipe(
      v.record(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)), v.pipe(v.number(), v.finite())),
      v.check((map) => Object.keys(map).length <= maxLoras),
    ),
    {},
  ),
  /** Decimal digits. */
  seed: maybe(v.pipe(v.string(), v.regex(/^\d{1,20}$/))),
  width: count,
  height: count,
  style: name,
  /** How closely the picture follows its prompt. */
  scale: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1000))),
  steps: count,
  sampler: name,
  schedule: name,
});

export type RecipeFacts = v.InferOutput<typeof facts>;

/** What a file says of how its picture was made, and the program that wrote it. */
export type FoundRecipe = RecipeFacts & {
  readonly program: 'nori' | 'a1111' | 'comfyui' | 'invokeai';
};

/** Undefined when it says neither a prompt nor a seed. */
function toFound(program: FoundRecipe['program'], input: object): FoundRecipe | undefined {
  const { success, output } = v.safeParse(facts, input);
  return success && (output.prompt !== '' || output.seed !== undefined)
    ? { ...output, program }
    : undefined;
}

/** Texts, numbers, and what Python writes though JSON does not know it. */
const jsonToken = /"(?:\\[^]|[^"\\])*"?|-?\d[\d.eE+-]*|NaN|-?Infinity/g;

/** JSON as programs write it. A whole number of more digits than a number holds becomes text. Undefined for anything else. */
function parseJson(text: string): unknown {
  const json = text.replaceAll(jsonToken, (token) => {
    if (token === 'NaN' || token.endsWith('Infinity')) {
      return 'null';
    }
    return /^\d{16,20}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
  });
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const readSeed = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;

/** Our own JSON, exact to the last character. */
export function formatOwnRecipe(recipe: RecipeFacts): string {
  return JSON.stringify({ version: 1, ...v.parse(facts, recipe) });
}

export function readOwnRecipe(text: string): FoundRecipe | undefined {
  const parsed = text.length <= 2 * maxForeignLength ? parseJson(text) : undefined;
  const isOurs = v.is(v.object({ version: v.literal(1), prompt: v.string() }), parsed);
  return isOurs ? toFound('nori', parsed) : undefined;
}

const negativeMark = 'Negative prompt:';
const ownVersion = 'Nori';
/** What sketches were called before recipes named their version. */
const sketchSampler = 'Nori sketch';

/** With quotes when it would be read as another. */
const quoted = (value: string) =>
  /[,:"\p{Cc}\p{Cs}]|^\s|\s$/u.test(value) ? JSON.stringify(value) : value;

/**
 * The layout of A1111: prompt, negative prompt, one line of settings. Sites look for a line that begins with `Steps: `, which
 * is 0 when it is unknown. Spaces at the ends of lines are lost, as A1111 takes them away.
 */
export function formatParameters(recipe: FoundRecipe): string {
  const { width, height, modelId, modelName, loras, program } = recipe;
  const model = modelName ?? modelId;
  const settings: readonly (readonly [string, string | number | undefined])[] = [
    ['Steps', recipe.steps ?? 0],
    ['Sampler', recipe.sampler],
    ['Schedule type', recipe.schedule],
    ['CFG scale', recipe.scale],
    ['Seed', recipe.seed],
    ['Size', width === undefined || height === undefined ? undefined : `${width}x${height}`],
    ['Model hash', recipe.modelHash],
    ['Model', model],
    ['Model ID', modelId === model ? undefined : modelId],
    ['Style', recipe.style],
    ['LoRAs', Object.keys(loras).length === 0 ? undefined : JSON.stringify(loras)],
    ['Provider', recipe.provider],
    ['Version', program === 'nori' ? ownVersion : undefined],
  ];
  const toLines = program === 'nori' ? (text: string) => escapeMarks(tidy(text)) : tidy;
  const negative = toLines(recipe.negativePrompt);
  return [
    toLines(recipe.prompt),
    negative === '' ? '' : `${negativeMark} ${negative}`,
    settings
      .flatMap(([key, value]) => (value === undefined ? [] : `${key}: ${quoted(String(value))}`))
      .join(', '),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** As A1111 leaves a prompt: without control characters, and without spaces at the ends of lines. */
function tidy(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]+/gu, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/**
 * A prompt may hold the words by which programs find the negative prompt and the settings. One more space before the colon
 * hides them, and makes no difference to a model.
 */
function escapeMarks(text: string): string {
  return text
    .replaceAll(/Negative prompt( *):/g, 'Negative prompt$1 :')
    .replaceAll(/(^|\n)Steps( *):/g, '$1Steps$2 :');
}

function unescapeMarks(text: string): string {
  return text
    .replaceAll(/Negative prompt( *) :/g, 'Negative prompt$1:')
    .replaceAll(/(^|\n)Steps( *) :/g, '$1Steps$2:');
}

/** A setting as A1111 finds it. The lengths are bounded, so that no text takes long. */
const setting = /([\p{L}\p{N}_][\p{L}\p{N}_ \-/]{1,80}):\s{0,9}("(?:\\.|[^\\"])+"|[^,]*)(?:,|$)/gu;

function readSettings(line: string): ReadonlyMap<string, string> {
  return new Map(
    [...line.matchAll(setting)].map(([, key = '', value = '']) => [key.trim(), unquoted(value)]),
  );
}

function unquoted(value: string): string {
  const parsed = value.startsWith('"') && value.endsWith('"') ? parseJson(value) : undefined;
  return typeof parsed === 'string' ? parsed : value;
}

/** As few as A1111 takes for settings. */
const minSettings = 3;

/** Reads the layout of A1111. Undefined when there are no settings in it. */
export function readParameters(text: string): FoundRecipe | undefined {
  const lines = text.length > 2 * maxForeignLength ? [] : text.trim().split('\n');
  const at = findSettings(lines);
  if (at === -1) {
    return undefined;
  }
  const settings = readSettings(lines[at] ?? '');
  const isOurs =
    settings.get('Version') === ownVersion || settings.get('Sampler') === sketchSampler;
  const prompts = splitPrompts(lines.slice(0, at));
  const [prompt, negativePrompt] = isOurs ? prompts.map(unescapeMarks) : prompts;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(settings.get('Size') ?? '') ?? [];
  return toFound(isOurs ? 'nori' : 'a1111', {
    prompt,
    negativePrompt,
    provider: settings.get('Provider'),
    ...readModel(settings, isOurs),
    modelHash: settings.get('Model hash'),
    loras: readLoras(settings),
    seed: settings.get('Seed'),
    width: toNumber(width),
    height: toNumber(height),
    style: settings.get('Style'),
    scale: toNumber(settings.get('CFG scale')),
    steps: toNumber(settings.get('Steps')),
    sampler: settings.get('Sampler'),
    schedule: settings.get('Schedule type'),
  });
}

const isSettings = (line = '') => readSettings(line).size >= minSettings;

/** The line of the settings: the last one, or the one that says so, as extensions of A1111 write more lines behind. */
function findSettings(lines: readonly string[]): number {
  const last = lines.length - 1;
  return isSettings(lines[last])
    ? last
    : lines.findLastIndex((line) => line.startsWith('Steps: ') && isSettings(line));
}

/** The name of a model means nothing to another service, so that it is no ID. */
function readModel(settings: ReadonlyMap<string, string>, isOurs: boolean) {
  const model = settings.get('Model');
  const id = settings.get('Model ID');
  if (!isOurs) {
    return { modelName: model };
  }
  return id === undefined ? { modelId: model } : { modelId: id, modelName: model };
}

const isNegative = (line: string) => line.startsWith(negativeMark);

function splitPrompts(lines: readonly string[]): readonly string[] {
  const trimmed = lines.map((line) => line.trim());
  const from = trimmed.findIndex(isNegative);
  const end = from === -1 ? trimmed.length : from;
  const negative = trimmed
    .slice(end)
    .map((line) => (isNegative(line) ? line.slice(negativeMark.length).trim() : line));
  return [trimmed.slice(0, end), negative].map((part) => part.join('\n').trim());
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined || text.trim() === '' ? undefined : Number(text);
}

/** Sketches of earlier versions have a setting for each. */
function readLoras(settings: ReadonlyMap<string, string>): unknown {
  const all = settings.get('LoRAs');
  return all === undefined
    ? Object.fromEntries(
        [...settings].flatMap(([key, weight]) =>
          key.startsWith('LoRA ') ? [[key.slice('LoRA '.length), Number(weight)]] : [],
        ),
      )
    : parseJson(all);
}

const modelField = v.looseObject({ name: name, model_name: name });
const readModelName = (model: v.InferOutput<typeof modelField> | undefined) =>
  model && (model.name ?? model.model_name);

const invokeMetadata = v.looseObject({
  positive_prompt: promptText,
  negative_prompt: promptText,
  seed: v.unknown(),
  width: v.unknown(),
  height: v.unknown(),
  steps: v.unknown(),
  cfg_scale: v.unknown(),
  scheduler: v.unknown(),
  model: maybe(modelField),
  loras: maybe(
    v.array(v.object({ weight: v.number(), model: maybe(modelField), lora: maybe(modelField) })),
  ),
});

/** What InvokeAI writes as `invokeai_metadata`. */
export function readInvokeMetadata(text: string): FoundRecipe | undefined {
  const parsed = v.safeParse(v.partial(invokeMetadata), parseJson(text));
  if (!parsed.success) {
    return undefined;
  }
  const { positive_prompt, negative_prompt, seed, model, loras = [], ...rest } = parsed.output;
  return toFound('invokeai', {
    prompt: positive_prompt,
    negativePrompt: negative_prompt ?? '',
    seed: readSeed(seed),
    modelName: readModelName(model),
    loras: Object.fromEntries(
      loras.flatMap((one) => {
        const called = readModelName(one.model ?? one.lora);
        return called === undefined ? [] : [[called, one.weight]];
      }),
    ),
    width: rest.width,
    height: rest.height,
    scale: rest.cfg_scale,
    steps: rest.steps,
    sampler: rest.scheduler,
  });
}

const comfyNode = v.object({ class_type: v.string(), inputs: v.record(v.string(), v.unknown()) });
type ComfyNode = v.InferOutput<typeof comfyNode>;
/** More than people draw. */
const maxNodes = 3000;
const maxSamplers = 20;

/** What ComfyUI writes as `prompt`: a graph of nodes, whose inputs are values, or `[node, output]`. */
export function readComfyGraph(text: string): FoundRecipe | undefined {
  const parsed = v.safeParse(v.record(v.string(), v.unknown()), parseJson(text));
  const entries = parsed.success ? Object.entries(parsed.output).slice(0, maxNodes) : [];
  const nodes = new Map(
    entries.flatMap(([id, node]) => (v.is(comfyNode, node) ? [[id, node] as const] : [])),
  );
  const graph = createGraph(nodes);
  const sampler = findSampler([...nodes.values()], graph);
  return sampler && toFound('comfyui', readSampler(sampler, graph));
}

type Graph = ReturnType<typeof createGraph>;

const valueNames = ['value', 'text', 'string', 'seed'] as const;

function createGraph(nodes: ReadonlyMap<string, ComfyNode>) {
  const follow = (input: unknown): ComfyNode | undefined =>
    Array.isArray(input) ? nodes.get(String(input[0])) : undefined;

  /** The nodes that an input comes from by inputs of these names, the nearest first. */
  const trace = (input: unknown, names: readonly string[]): readonly ComfyNode[] => {
    const found = new Set<ComfyNode>();
    const queue = [input];
    for (const next of queue) {
      const node = follow(next);
      if (node && !found.has(node)) {
        found.add(node);
        queue.push(...names.map((one) => node.inputs[one]), sameSide(node, next));
      }
    }
    return [...found];
  };

  /** A value, or that of the node that gives it. */
  const read = (input: unknown): unknown => {
    const values = valueNames.map((one) => follow(input)?.inputs[one]);
    return Array.isArray(input) ? values.find((one) => one !== undefined) : input;
  };

  return { follow, trace, read };
}

/** Nodes that have both conditions give the positive one first. */
function sameSide({ inputs }: ComfyNode, output: unknown): unknown {
  return Array.isArray(output) && output[1] === 1 ? inputs['negative'] : inputs['positive'];
}

const isEmptyLatent = ({ inputs }: ComfyNode) => 'width' in inputs && 'height' in inputs;

/** The one that begins with nothing, as others make its picture larger. */
function findSampler(nodes: readonly ComfyNode[], { trace }: Graph): ComfyNode | undefined {
  const samplers = nodes
    .filter(
      ({ inputs }) => 'latent_image' in inputs && ('positive' in inputs || 'guider' in inputs),
    )
    .slice(0, maxSamplers);
  const isFirst = ({ inputs }: ComfyNode) => trace(inputs['latent_image'], []).some(isEmptyLatent);
  return samplers.find(isFirst) ?? samplers[0];
}

function readSampler({ inputs }: ComfyNode, { follow, trace, read }: Graph): object {
  const guider = follow(inputs['guider'])?.inputs ?? {};
  const sigmas = follow(inputs['sigmas'])?.inputs ?? {};
  const all = {
    ...sigmas,
    ...follow(inputs['sampler'])?.inputs,
    ...follow(inputs['noise'])?.inputs,
    ...guider,
    ...inputs,
  };
  const models = trace(all['model'], ['model']);
  const latent = trace(inputs['latent_image'], ['samples', 'latent']).find(isEmptyLatent);
  const conditions = ['conditioning', 'conditioning_1', 'conditioning_2', 'conditioning_to'];
  const readPrompt = (input: unknown) => {
    const texts = trace(input, conditions).flatMap((node) => readTexts(node, read));
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    // Many nodes may have the same long text.
    return length > maxForeignLength ? '' : texts.join(', ');
  };
  return {
    prompt: readPrompt(all['positive'] ?? guider['conditioning']),
    negativePrompt: readPrompt(all['negative']),
    seed: readSeed(read(all['seed'] ?? all['noise_seed'])),
    steps: read(all['steps']),
    scale: read(all['cfg']),
    sampler: all['sampler_name'],
    schedule: all['scheduler'],
    width: read(latent?.inputs['width']),
    height: read(latent?.inputs['height']),
    modelName: models
      .map(({ inputs: { ckpt_name, unet_name } }) => ckpt_name ?? unet_name)
      .flatMap((file) => (typeof file === 'string' ? withoutEnding(file) : []))[0],
    loras: Object.fromEntries(
      models.flatMap(({ inputs: { lora_name, strength_model } }) =>
        typeof lora_name === 'string' ? [[withoutEnding(lora_name), strength_model]] : [],
      ),
    ),
  };
}

/** What a node encodes; some encode the same text twice. */
function readTexts({ inputs }: ComfyNode, read: Graph['read']): readonly string[] {
  const texts = ['text', 't5xxl', 'clip_l', 'text_g', 'text_l'].map((one) => read(inputs[one]));
  return [
    ...new Set(texts.flatMap((text) => (typeof text === 'string' && text !== '' ? text : []))),
  ];
}

const withoutEnding = (file: string) => file.replace(/\.(?:safetensors|ckpt|sft|gguf|pt)$/, '');
