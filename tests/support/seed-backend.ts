/**
 * A backend that answers what the specification of the image hub promises, and nothing more: no
 * capabilities, no jobs, no headers of ours, pictures on a host of their own, and pages on another
 * origin. It refuses and reports every address and every field that the specification does not name.
 */
import * as v from 'valibot';

import { imaginePicture } from './hub-services.ts';
import { type Answer, listen, type RecordedCall } from './stand-in-server.ts';

/** Where its pictures are; tests answer for this host, which the page may only show. */
export const picturesOrigin = 'https://pictures.example.org';
export const pictureBytes = imaginePicture;

/** Its only user. */
export const member = { telegramId: 7001, token: 'token-of-7001' } as const;

const png = { headers: { 'Content-Type': 'image/png' }, body: imaginePicture } as const;
const notAuthenticated = { status: 401, body: { detail: 'Not authenticated' } } as const;
const notFound = { status: 404, body: { detail: 'Not Found' } } as const;

/** A call's body, checked by its exact fields, and how the backend answers it. */
type Rule = {
  readonly name: RegExp;
  readonly body?: v.GenericSchema;
  readonly needsToken?: boolean;
  readonly answer: (call: RecordedCall, parts: readonly string[]) => Answer;
};

const recipe = {
  prompt: v.string(),
  model_id: v.string(),
  negative_prompt: v.string(),
  seed: v.string(),
  nsfw: v.boolean(),
  ratio: v.string(),
  scale: v.literal(6),
  is_direct_image: v.literal(true),
};

/** Fields of other names are extras: texts. */
const savedPicture = v.objectWithRest(
  {
    model_id: v.string(),
    prompt: v.string(),
    image: v.file(),
    ratio: v.string(),
    nsfw: v.string(),
  },
  v.string(),
);

const models = [
  ['501', 'Moonlit Harbor', 'SDXL_MODEL', 90],
  ['502', 'Paper Lantern', 'SDXL_LORA', 80],
  ['503', 'Copper Fern', 'SDXL_MODEL', 70],
].map(([id, title, type, likedCount]) => ({
  id: `9${String(id)}`,
  title,
  type,
  category: 'style',
  extra: {},
  createdAt: '2025-01-01T00:00:00Z',
  updatedAt: '2025-01-01T00:00:00Z',
  isNsfw: false,
  isDownloadable: true,
  isPrivate: false,
  likedCount,
  liked: false,
  refCount: 5,
  commentCount: 0,
  tags: [],
  media: { urls: [{ variant: 'PUBLIC', url: `${picturesOrigin}/cover-${String(id)}.png` }] },
  latestAvailableVersion: { id, name: 'v1', status: 'PUBLISHED', downloadUrl: '', extra: {} },
}));

function toPage(found: typeof models, next?: string) {
  const edges = found.map((node) => ({ node, cursor: node.id }));
  const pageInfo = { hasNextPage: next !== undefined, endCursor: next ?? null };
  return { data: { generationModels: { edges, pageInfo } } };
}

const graphql = (variables: v.GenericSchema) => v.strictObject({ query: v.string(), variables });

const listRequest = graphql(
  v.strictObject({
    first: v.number(),
    after: v.optional(v.string()),
    feed: v.string(),
    orderBy: v.string(),
  }),
);

const searchRequest = graphql(
  v.strictObject({ first: v.number(), keyword: v.string(), feed: v.literal('search') }),
);

const readText = (body: unknown, name: string): string =>
  typeof body === 'object' && body !== null ? String(Reflect.get(body, name) ?? '') : '';

const readVariable = (body: unknown, name: string): string =>
  typeof body === 'object' && body !== null ? readText(Reflect.get(body, 'variables'), name) : '';

export type SeedBackend = Awaited<ReturnType<typeof startSeedBackend>>;

/** Starts the backend, and the third-party search of models, which gets no token. */
export async function startSeedBackend() {
  const surprises: string[] = [];
  const deletions: boolean[] = [];
  const lists = {
    pixai: new Map(),
    imagine: new Map(),
    midjourney: new Map(),
  } as const satisfies Record<string, Map<string, Readonly<Record<string, unknown>>>>;
  let made = 0;
  const nextId = () => `g${(made += 1)}`;
  const created = () => ({ created_at: new Date().toISOString() });
  const newestFirst = (list: Map<string, unknown>) => [...list.values()].toReversed();

  const rules: readonly Rule[] = [
    { name: /^GET \/health$/, answer: () => ({ body: { status: 'ok' } }) },
    // The only address beyond the specification that may be asked for.
    { name: /^GET \/capabilities$/, answer: () => notFound },
    {
      name: /^GET \/auth\/me$/,
      needsToken: true,
      answer: () => ({ body: { telegram_id: member.telegramId } }),
    },
    {
      name: /^POST \/prompt\/enhance$/,
      body: v.strictObject({ userPrompt: v.string() }),
      answer: ({ body }) => ({
        body: { prompt: ` ${readText(body, 'userPrompt')}, in soft light ` },
      }),
    },
    { name: /^POST \/pixai\/api\/v1\/generate$/, body: v.strictObject(recipe), answer: () => png },
    {
      name: /^POST \/pixai\/api\/v1\/generate-lora$/,
      body: v.strictObject({ ...recipe, loras: v.record(v.string(), v.number()) }),
      answer: () => png,
    },
    {
      name: /^GET \/generations\/model-info\/([\w-]+)$/,
      answer: (_call, [id = '']) => ({ body: { name: `Model ${id}` } }),
    },
    {
      name: /^POST \/generations\/save$/,
      needsToken: true,
      body: savedPicture,
      answer: ({ body }) => {
        const id = nextId();
        lists.pixai.set(id, {
          id,
          imageUrl: `${picturesOrigin}/${id}.png`,
          prompt: readText(body, 'prompt'),
          negative_prompt: readText(body, 'negative_prompt'),
          modelId: readText(body, 'model_id'),
          ratio: readText(body, 'ratio'),
          nsfw: false,
          status: 'completed',
          timestamp: Date.now(),
          tags: [],
        });
        // Clients ignore it.
        return { body: {} };
      },
    },
    {
      name: /^GET \/generations\/history$/,
      needsToken: true,
      answer: () => ({ body: { generations: newestFirst(lists.pixai) } }),
    },
    {
      name: /^DELETE \/generations\/([\w-]+)$/,
      needsToken: true,
      answer: (_call, [id = '']) => {
        const isDeleted = lists.pixai.delete(id);
        deletions.push(isDeleted);
        return { body: isDeleted };
      },
    },
    {
      name: /^POST \/generations\/(?:update-model-cache|up-gen)$/,
      needsToken: true,
      answer: () => ({ body: {} }),
    },
    {
      name: /^GET \/pixai\/api\/v1\/api\/history\/imagine\/urls\?user_id=7001$/,
      needsToken: true,
      answer: () => ({ body: { history: newestFirst(lists.imagine) } }),
    },
    {
      name: /^POST \/pixai\/api\/v1\/api\/imagine-art\/save$/,
      needsToken: true,
      body: v.strictObject({
        prompt: v.string(),
        style: v.string(),
        aspect_ratio: v.string(),
        seed: v.optional(v.union([v.string(), v.number()])),
      }),
      answer: ({ body }) => {
        const id = nextId();
        const prompt = readText(body, 'prompt');
        const url = `${picturesOrigin}/${id}.png`;
        lists.imagine.set(id, { _id: id, prompt, s3_urls: [url], ...created() });
        return {
          body: {
            id,
            image_url: url,
            prompt,
            model_id: readText(body, 'style'),
            model_name: '',
            seed: 42,
            ratio: readText(body, 'aspect_ratio'),
            nsfw: false,
            tags: [],
            ...created(),
          },
        };
      },
    },
    {
      name: /^POST \/pixai\/api\/v1\/midjourney\/generate$/,
      body: v.strictObject({ prompt: v.string() }),
      answer: ({ body, headers }) => {
        const id = nextId();
        const s3_urls = [1, 2].map((number) => `${picturesOrigin}/${id}-${number}.png`);
        if (headers.authorization !== undefined) {
          lists.midjourney.set(id, { id, prompt: readText(body, 'prompt'), s3_urls, ...created() });
        }
        return { body: { s3_urls } };
      },
    },
    {
      name: /^GET \/pixai\/api\/v1\/midjourney\/history$/,
      needsToken: true,
      answer: () => ({ body: { generations: newestFirst(lists.midjourney) } }),
    },
    { name: /^GET \/pixai\/api\/v1\/midjourney\/download\?url=[^&]+$/, answer: () => png },
    {
      name: /^GET \/kusa\/styles$/,
      answer: () => ({
        body: {
          styles: {
            styles: [1, 2].map((id) => ({
              id,
              name: `style ${id}`,
              og_name: `Style number ${id}`,
              image_url: `${picturesOrigin}/style-${id}.png`,
            })),
          },
        },
      }),
    },
    {
      name: /^POST \/api\/pixai\/graphql\?operation=listGenerationModels$/,
      body: listRequest,
      answer: ({ body }) => ({
        body:
          readVariable(body, 'after') === ''
            ? toPage(models.slice(0, 2), 'second')
            : toPage(models.slice(2)),
      }),
    },
  ];

  function answer(call: RecordedCall): Answer {
    const called = `${call.method} ${call.path}`;
    const rule = rules.find(({ name }) => name.test(called));
    if (rule === undefined) {
      surprises.push(called);
      return notFound;
    }
    const problem = rule.body && v.safeParse(rule.body, call.body).issues?.[0];
    if (problem) {
      surprises.push(`${called}: ${v.getDotPath(problem) ?? ''} ${problem.message}`);
      return { status: 422, body: { detail: problem.message } };
    }
    const token = call.headers.authorization;
    if (token === undefined ? rule.needsToken : token !== `Bearer ${member.token}`) {
      return notAuthenticated;
    }
    return rule.answer(call, rule.name.exec(called)?.slice(1) ?? []);
  }

  function search(call: RecordedCall): Answer {
    if (call.headers.authorization !== undefined || !v.is(searchRequest, call.body)) {
      surprises.push(`The search got ${JSON.stringify(call.body)}`);
      return { status: 400 };
    }
    const keyword = readVariable(call.body, 'keyword').toLowerCase();
    return {
      body: toPage(models.filter(({ title }) => String(title).toLowerCase().includes(keyword))),
    };
  }

  const [backend, searchService] = await Promise.all([
    listen(withCors(answer)),
    listen(withCors(search)),
  ]);
  let begun = { calls: 0, searches: 0 };
  const readCalls = () =>
    [...backend.calls.slice(begun.calls), ...searchService.calls.slice(begun.searches)].filter(
      ({ method }) => method !== 'OPTIONS',
    );

  return {
    url: backend.url,
    searchUrl: `${searchService.url}/graphql`,
    /** Addresses and fields that the specification does not name. */
    surprises,
    /** Whether each asked for deletion took place. */
    deletions,
    /** How often each call came, without its query. Empty bodies and those of different calls are not told apart. */
    counts: (): Readonly<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const { method, path } of readCalls()) {
        const name = `${method} ${path.split('?', 1)[0] ?? ''}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    },
    /** Forgets everything. */
    reset() {
      surprises.length = 0;
      deletions.length = 0;
      made = 0;
      Object.values(lists).forEach((list) => list.clear());
      begun = { calls: backend.calls.length, searches: searchService.calls.length };
    },
    close: () => Promise.all([backend.close(), searchService.close()]),
  };
}

/** Lets pages of every origin call, and read nothing but the body. */
function withCors(answer: (call: RecordedCall) => Answer) {
  return (call: RecordedCall): Answer => {
    const cors = { 'Access-Control-Allow-Origin': '*' };
    if (call.method === 'OPTIONS') {
      return {
        status: 204,
        headers: {
          ...cors,
          'Access-Control-Allow-Methods': 'GET, POST, DELETE',
          'Access-Control-Allow-Headers': 'Authorization, Content-Type',
        },
        body: '',
      };
    }
    const given = answer(call);
    return { ...given, headers: { ...given.headers, ...cors } };
  };
}
