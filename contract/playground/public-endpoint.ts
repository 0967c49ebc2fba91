/** What an entry of the public API is, and what follows from it alike for the form, the address and the server. */
import * as v from 'valibot';

/** Where the values of a select come from when they are not fixed: another call of the public API. */
type OptionsFrom = {
  /** The id of the endpoint that lists them. */
  readonly endpointId: string;
  /** Which field of its answer holds the list. */
  readonly field: 'categories' | 'characters';
  /** The parameter of this form whose value that call needs in its path. */
  readonly needs?: string;
};

export type Parameter = {
  readonly name: string;
  readonly type: 'text' | 'textarea' | 'url' | 'number' | 'select';
  readonly required: boolean;
  readonly description: string;
  readonly placeholder?: string;
  /** What the form begins with, and what the server takes when the parameter is absent. */
  readonly defaultValue?: string;
  readonly options?: readonly string[];
  readonly optionsFrom?: OptionsFrom;
  /** Characters at most. */
  readonly maxLength: number;
  /** Of a `url`: the sites it may lead to, their subdomains included. */
  readonly sites?: readonly string[];
};

type Example = {
  readonly name: string;
  readonly description: string;
  /** Parameter → value, as Load puts them into the form. */
  readonly parameters: Readonly<Record<string, string>>;
};

type AnswerSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

export type PublicEndpoint = {
  readonly id: string;
  readonly name: string;
  readonly method: 'GET';
  /** Parameters in it are written `:category`. */
  readonly path: `/${string}`;
  readonly description: string;
  readonly category: string;
  readonly parameters: readonly Parameter[];
  readonly examples: readonly Example[];
  /** What a good answer links to: a picture or a sound that can be shown. */
  readonly preview?: 'image' | 'audio';
  /** For adults only: nothing of it is run before the age was confirmed. */
  readonly is18plus: boolean;
  /** Only there to fill the selects of others. */
  readonly isSupporting?: boolean;
  readonly answer: AnswerSchema;
};

export type Values = Readonly<Record<string, string | undefined>>;

/** The names in the path of an endpoint. */
export function pathNames({ path }: Pick<PublicEndpoint, 'path'>): readonly string[] {
  return path
    .split('/')
    .filter((part) => part.startsWith(':'))
    .map((part) => part.slice(1));
}

/** The address of a call after the base: its path, and of its parameters those that are not empty. */
export function requestPath(
  endpoint: Pick<PublicEndpoint, 'path' | 'parameters'>,
  values: Values,
): string {
  const inPath = pathNames(endpoint);
  const path = inPath.reduce<string>(
    (filled, name) => filled.replace(`:${name}`, encodeURIComponent(values[name] ?? '')),
    endpoint.path,
  );
  const query = new URLSearchParams(
    endpoint.parameters.flatMap(({ name }) => {
      const value = values[name] ?? '';
      return value === '' || inPath.includes(name) ? [] : [[name, value]];
    }),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** What is wrong with the value of a parameter, in a sentence for people; undefined when nothing is. */
export function findMistake(parameter: Parameter, value: string | undefined): string | undefined {
  const { name, required, maxLength, type, options, sites } = parameter;
  const text = value?.trim() ?? '';
  if (text === '') {
    return required ? `${name} is required` : undefined;
  }
  if (text.length > maxLength) {
    return `${name} may have at most ${maxLength} characters`;
  }
  if (type === 'number' && !/^[1-9]\d*$/.test(text)) {
    return `${name} must be a whole number from 1`;
  }
  if (options && !options.includes(text)) {
    return `${name} must be one of ${options.join(', ')}`;
  }
  return type === 'url' ? mistakeInLink(name, text, sites) : undefined;
}

function mistakeInLink(
  name: string,
  text: string,
  sites: readonly string[] | undefined,
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return `${name} must be a link that begins with https://`;
  }
  const isKnown = sites?.some((site) => url.hostname === site || url.hostname.endsWith(`.${site}`));
  return isKnown === false ? `${name} must be a link to ${sites?.[0] ?? ''}` : undefined;
}

/**
 * Parses what came with a call: values without spaces around them, defaults where there are none. What the table
 * does not name is left out.
 */
export function toInputSchema({
  parameters,
}: Pick<PublicEndpoint, 'parameters'>): v.GenericSchema<
  Record<string, unknown>,
  Record<string, string>
> {
  return v.pipe(
    v.object(
      Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          v.pipe(
            v.optional(v.string(), ''),
            v.rawCheck(({ dataset, addIssue }) => {
              const message = dataset.typed ? findMistake(parameter, dataset.value) : undefined;
              if (message !== undefined) {
                addIssue({ message });
              }
            }),
            v.transform((value) => value.trim() || (parameter.defaultValue ?? '')),
          ),
        ]),
      ),
    ),
  );
}
