/** The OpenAPI 3.1 document of the public API, made from the table of endpoints and its schemas. */
import { toJsonSchema } from '@valibot/to-json-schema';

import { errorTexts } from '#contract/endpoints/error-texts';
import { type ErrorCode, errorStatuses } from '#contract/endpoints/errors';
import { readUsage } from '#contract/endpoints/usage';
import {
  type Parameter,
  pathNames,
  type PublicEndpoint,
} from '#contract/playground/public-endpoint';

/** The errors that every call may return. */
const possibleErrors = [
  'invalid_input',
  'nothing_found',
  'rate_limited',
  'unexpected',
  'service_answer_broken',
  'service_unavailable',
  'service_slow',
] as const satisfies readonly ErrorCode[];

const errorSchema = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { type: 'string', description: 'What went wrong, in a sentence for people.' },
    message: {
      type: 'string',
      description: 'The same in the language of Accept-Language. Absent in English.',
    },
    code: { type: 'string', description: 'The same for programs.' },
  },
} as const;

const downloadParameter = {
  name: 'download',
  in: 'query',
  required: false,
  description: 'With 1 the answer comes as a file to save.',
  schema: { type: 'string', enum: ['1'] },
} as const;

/** The one endpoint that is not in the table. */
const usagePath = {
  get: {
    operationId: 'usage',
    summary: 'Usage',
    description: 'How often each feature of the bot was used: in all, and today by UTC.',
    tags: ['Usage'],
    parameters: [],
    responses: {
      200: {
        description: 'The most used first.',
        content: {
          'application/json': {
            schema: {
              type: 'array',
              items: {
                type: 'object',
                required: ['_id', 'count', 'today'],
                properties: {
                  _id: { type: 'string', description: 'The name of the feature.' },
                  count: { type: 'integer', minimum: 0 },
                  today: { type: 'integer', minimum: 0 },
                  is_demo: { type: 'boolean', description: 'An example, and no count.' },
                },
              },
            },
          },
        },
      },
    },
  },
} as const;

export function openApiDocument(endpoints: readonly PublicEndpoint[]) {
  const categories = [...new Set(endpoints.map(({ category }) => category))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Nori public API',
      version: '1.0.0',
      description:
        'What the bot can do, for every program: read only, without a key, from every page. Answers marked with is_demo are examples, because the server is connected to no source.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/public-api' }],
    security: [],
    tags: [...categories, ...usagePath.get.tags].map((name) => ({ name })),
    paths: {
      ...Object.fromEntries(
        endpoints.map((endpoint) => [
          endpoint.path.replaceAll(/:(\w+)/g, '{$1}'),
          { get: toOperation(endpoint) },
        ]),
      ),
      [readUsage.path]: {
        get: {
          ...usagePath.get,
          responses: {
            ...usagePath.get.responses,
            ...toErrorResponses(['rate_limited', 'unexpected']),
          },
        },
      },
    },
    components: {
      parameters: { Download: downloadParameter },
      schemas: { Error: errorSchema },
    },
  };
}

function toOperation(endpoint: PublicEndpoint) {
  const { id, name, description, category, parameters, examples, is18plus, answer } = endpoint;
  return {
    operationId: id,
    summary: name,
    description: is18plus ? `${description} For adults only.` : description,
    tags: [category],
    'x-adults-only': is18plus,
    parameters: [
      ...parameters.map((parameter) => describe(parameter, endpoint)),
      { $ref: '#/components/parameters/Download' },
    ],
    ...(examples.length === 0 ? {} : { 'x-examples': examples }),
    responses: {
      200: {
        description: 'The answer.',
        content: { 'application/json': { schema: toSchema(answer) } },
      },
      ...toErrorResponses(possibleErrors),
    },
  };
}

function toErrorResponses(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => [
      errorStatuses[code],
      {
        description: errorTexts[code],
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function describe(parameter: Parameter, endpoint: PublicEndpoint) {
  const { name, description, examples } = {
    ...parameter,
    examples: endpoint.examples.flatMap(({ parameters }) => parameters[parameter.name] ?? []),
  };
  const isInPath = pathNames(endpoint).includes(name);
  const example = examples[0] ?? parameter.defaultValue;
  return {
    name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || parameter.required,
    description,
    schema: toParameterSchema(parameter),
    ...(example === undefined ? {} : { example }),
  };
}

function toParameterSchema({ type, maxLength, defaultValue, options }: Parameter) {
  const fallback = type === 'number' ? Number(defaultValue) : defaultValue;
  return {
    ...(type === 'number'
      ? { type: 'integer', minimum: 1, maximum: 10 ** maxLength - 1 }
      : { type: 'string', maxLength }),
    ...(type === 'url' ? { format: 'uri' } : {}),
    ...(options ? { enum: options } : {}),
    ...(defaultValue === undefined ? {} : { default: fallback }),
  };
}

/** Without `$schema`, because OpenAPI 3.1 declares its dialect once for all schemas. */
function toSchema(answer: PublicEndpoint['answer']) {
  const { $schema: _dialect, ...schema } = toJsonSchema(answer, { target: 'draft-2020-12' });
  return schema;
}
