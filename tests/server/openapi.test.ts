/**
 * The document of the public API: valid by a public validator, and consistent with the server's
 * answers.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { publicEndpoints } from '#contract/playground/endpoints';
import { startPublicServer } from '#tests/public-api';

const parameter = v.object({
  name: v.string(),
  in: v.picklist(['path', 'query']),
  required: v.boolean(),
  example: v.optional(v.string()),
  schema: v.looseObject({ type: v.string(), default: v.optional(v.unknown()) }),
});
const operation = v.object({
  operationId: v.string(),
  parameters: v.array(v.union([parameter, v.object({ $ref: v.string() })])),
  responses: v.record(
    v.string(),
    v.object({ content: v.object({ 'application/json': v.object({ schema: v.unknown() }) }) }),
  ),
});
const openApi = v.object({
  openapi: v.string(),
  servers: v.tuple([v.object({ url: v.string() })]),
  paths: v.record(v.string(), v.object({ get: operation })),
  components: v.object({ schemas: v.object({ Error: v.unknown() }) }),
});
const anyObject = v.record(v.string(), v.unknown());
type Operation = v.InferOutput<typeof operation>;

async function readDocument() {
  const server = await startPublicServer();
  const { status, headers, body } = await server.request('/public-api/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('Cache-Control')).toBe('public, max-age=3600');
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
  return { server, body, document: v.parse(openApi, body) };
}

/** A request made from the document alone. */
function toRequest(base: string, path: string, { parameters }: Operation): string {
  const values = parameters.flatMap((one) =>
    'name' in one
      ? [{ ...one, value: one.example ?? (one.name === 'category' ? undefined : '1') }]
      : [],
  );
  const filled = values
    .filter((one) => one.in === 'path')
    .reduce(
      (sum, { name, value }) => sum.replace(`{${name}}`, encodeURIComponent(value ?? '')),
      path,
    );
  const query = new URLSearchParams(
    values.flatMap((one) =>
      one.in === 'query' && one.value !== undefined && (one.required || one.example)
        ? [[one.name, one.value]]
        : [],
    ),
  );
  return `${base}${filled}?${query.toString()}`;
}

/** The differences between an answer and its schema. */
function findMistakes(schema: unknown, answer: unknown): readonly unknown[] {
  const validate = new Ajv2020({ strict: false }).compile(v.parse(anyObject, schema));
  validate(answer);
  return validate.errors ?? [];
}

test('a public validator finds no errors', async () => {
  const { body, document } = await readDocument();
  const plain = v.parse(anyObject, body);

  const result = await new Validator().validate(plain);

  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
});

test('a validator finds the errors of a broken document', async () => {
  const { body } = await readDocument();
  const plain = v.parse(anyObject, body);

  const result = await new Validator().validate({
    ...plain,
    paths: { '/x': { get: { tags: 1 } } },
  });

  expect(result.valid).toBe(false);
});

test('it has every endpoint of the table and the usage figures, and no other', async () => {
  const { document } = await readDocument();

  const described = Object.values(document.paths).map(({ get }) => get.operationId);

  expect(described).toEqual([...publicEndpoints.map(({ id }) => id), 'usage']);
});

test('its description of the usage figures is correct', async () => {
  const { server, document } = await readDocument();

  const { body } = await server.request('/public-api/telegram_bot/usage');

  const usage = document.paths['/telegram_bot/usage']?.get;
  const schema = usage?.responses['200']?.content['application/json'].schema;
  expect(findMistakes(schema, body)).toEqual([]);
  expect(findMistakes(schema, [{ _id: 'imagine' }])).not.toEqual([]);
});

describe('a request that is made from the document', () => {
  test.each(publicEndpoints)('gets the documented answer of $id', async ({ id, category }) => {
    const { server, document } = await readDocument();
    const [path, item] =
      Object.entries(document.paths).find(([, { get }]) => get.operationId === id) ?? [];
    if (path === undefined || !item) {
      throw new Error(`${id} is not in the document`);
    }
    const address = toRequest(document.servers[0].url, path, item.get);

    const { status, body } = await server.request(address);

    expect({ category, address, status }).toMatchObject({ status: 200 });
    const schema = item.get.responses['200']?.content['application/json'].schema;
    expect(findMistakes(schema, body)).toEqual([]);
    expect(findMistakes(schema, {})).not.toEqual([]);
  });

  test.each(publicEndpoints.filter((one) => one.parameters.some(({ required }) => required)))(
    'without a parameter that $id requires gets the documented refusal',
    async ({ id }) => {
      const { server, document } = await readDocument();
      const [path = '', item] =
        Object.entries(document.paths).find(([, { get }]) => get.operationId === id) ?? [];

      const { status, body } = await server.request(
        `/public-api${path.replaceAll(/\{\w+\}/g, '%20')}`,
      );

      expect(status).toBe(422);
      expect(item?.get.responses['422']?.content['application/json'].schema).toEqual({
        $ref: '#/components/schemas/Error',
      });
      expect(findMistakes(document.components.schemas.Error, body)).toEqual([]);
    },
  );
});
