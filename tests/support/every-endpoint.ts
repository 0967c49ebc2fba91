/** Every endpoint of the contract, with valid inputs, so that a new one is part of the tests that go through all of them. */
import { type Kysely, sql } from 'kysely';
import * as v from 'valibot';

import { type Endpoint, splitInput } from '#contract/endpoints/endpoint';
import { type Tables } from '#server/db/tables';

import { getBase, type TestServer } from './test-server.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../contract/endpoints/*.ts', {
  eager: true,
});

const declared = v.object({
  method: v.string(),
  path: v.pipe(v.string(), v.startsWith('/')),
  input: v.looseObject({ kind: v.literal('schema') }),
});

/** The endpoints that our server answers, by the names of their declarations. */
export const everyEndpoint: readonly (readonly [string, Endpoint])[] = Object.values(modules)
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, Endpoint] => v.is(declared, entry[1]))
  .filter(([, { base }]) => base !== 'search');

type Field = v.GenericSchema<unknown, unknown>;

/** The schema of each input of an endpoint. */
export function readFields({ input }: Endpoint): Readonly<Record<string, Field>> {
  return readEntries(input) ?? {};
}

const field = v.custom<Field>((value) => v.is(v.looseObject({ kind: v.literal('schema') }), value));
const entries = v.record(v.string(), field);

function readEntries(schema: object): Readonly<Record<string, Field>> | undefined {
  return 'entries' in schema ? v.parse(entries, schema.entries) : undefined;
}

/** Values by the name of the input. The first that the schema accepts is sent. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  action_id: ['an-action'],
  attempt: ['an-attempt-0123456789'],
  body: [{ text: 'Hello', entities: [], buttons: [] }],
  change_id: ['a-change'],
  chat_id: ['-1001234567890'],
  code: ['a-code'],
  current_password: ['seven quiet otters'],
  days: [7],
  email: ['ada@example.org'],
  end_other_sessions: [true],
  file: [new Blob(['no file'])],
  id: ['a-picture', '11111111-1111-4111-8111-111111111111'],
  image: [new Blob(['no picture'])],
  init_data: ['user=1'],
  job_key: ['0123456789abcdef0123456789abcdef'],
  // Of a recipe that the bot has read.
  link: ['0b0e7a9c-4f7e-4a55-9d1c-3f0b8f6f2a11'],
  kind: ['bulk', 'undo', 'values', 'set'],
  language: ['en'],
  loras: [{}, '{}'],
  model_id: ['1983308862240288769'],
  model_name: ['Tidepool'],
  models: [[]],
  new_password: ['eight loud badgers'],
  otp: ['123456'],
  otp_code: ['123456'],
  password: ['seven quiet otters'],
  prompt: ['a lighthouse'],
  ratio: ['1:1'],
  request_key: ['0123456789abcdef0123456789abcdef'],
  seed: ['1', 1],
  service: ['spotify'],
  setting_name: ['photo_blocked'],
  state: ['a-state'],
  style: ['realistic', '1'],
  telegram_id: ['111222333'],
  topic_id: ['0'],
  topics: [{ '0': { photo_blocked: true } }],
  url: ['https://cdn.example.org/a.png'],
  user_id: ['111222333'],
  value: [true],
  value_name: ['rules_content'],
  values: [{ chat: { warn_limit: 5 } }],
  video_id: ['film'],
  aspect_ratio: ['1:1'],
};

/** For inputs whose name is not among the samples. */
const anySamples: readonly unknown[] = [
  'a text',
  'AAAA',
  '1',
  1,
  true,
  [],
  {},
  { password: 'a text' },
];

/** Valid inputs: `given`, and a sample for each other one that is required. Throws for an input that has no sample. */
export function createInput(
  [name, endpoint]: readonly [string, Endpoint],
  given: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return fill(readFields(endpoint), given, name);
}

function fill(
  fields: Readonly<Record<string, Field>>,
  given: Readonly<Record<string, unknown>>,
  where: string,
): Record<string, unknown> {
  const required = Object.entries(fields).filter(
    ([name, schema]) => name in given || !v.is(schema, undefined),
  );
  return Object.fromEntries(
    required.map(([name, schema]) => [
      name,
      name in given ? given[name] : createSample(name, schema, where),
    ]),
  );
}

function createSample(name: string, schema: Field, where: string): unknown {
  const candidates = [
    ...(samples[name] ?? []),
    ...('options' in schema && Array.isArray(schema.options) ? schema.options : []),
    ...('literal' in schema ? [schema.literal] : []),
    ...anySamples,
  ];
  const found = candidates.find((value) => v.is(schema, value));
  if (found !== undefined) {
    return found;
  }
  const inner = readEntries(schema);
  const built = inner && fill(inner, {}, `${where}.${name}`);
  if (built === undefined || !v.is(schema, built)) {
    throw new Error(`${where}: add a valid ${name} to the samples of every-endpoint.ts`);
  }
  return built;
}

type Sent = {
  readonly endpoint: Endpoint;
  readonly input: Readonly<Record<string, unknown>>;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends the inputs where the contract says, and does not wait for the end of an answer that is a stream. */
export async function send(
  server: TestServer,
  { endpoint, input, token, headers = {} }: Sent,
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const { path, query, body } = splitInput(endpoint, input);
  const search = new URLSearchParams(query).toString();
  const hasBody = endpoint.isForm !== true && Object.keys(body).length > 0;
  const abort = new AbortController();
  const response = await server.app.request(
    `${getBase(endpoint)}${path}${search === '' ? '' : `?${search}`}`,
    {
      method: endpoint.method,
      signal: abort.signal,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
      ...(endpoint.isForm === true ? { body: toForm(body) } : {}),
    },
  );
  const isJson = response.headers.get('Content-Type')?.includes('application/json') === true;
  const answered: unknown = isJson ? await response.json() : undefined;
  abort.abort();
  return { status: response.status, body: answered, headers: response.headers };
}

function toForm(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}

/** All rows of all tables as text, without `exceptions`: tables that a call may write whatever it answers. */
export async function dump(
  db: Kysely<Tables>,
  exceptions: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const tables = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('kysely_') && !exceptions.includes(name));
  const contents = await Promise.all(
    tables.map(async (name) => {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      return [
        name,
        rows
          .map((row) => JSON.stringify(row))
          .toSorted()
          .join('\n'),
      ] as const;
    }),
  );
  return Object.fromEntries(contents);
}
